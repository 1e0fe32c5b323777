/// Whether the text of an error has the form of this project: what is wrong and what to do next, separated by a
/// semicolon, in lower case and without a full stop.
package func saysWhatToDo(_ message: String) -> Bool {
    let parts = message.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].first, parts[1].first == " ", parts[1].count > 5 else { return false }
    return parts[0].count > 10 && !first.isUppercase && !message.hasSuffix(".")
}
