/// What a term of a filter is about; the words are those of the command's options.
package enum FilterKey: String, Hashable, Sendable, CaseIterable {
    case host, status, method, type, api, path, process, device
    case has, header, body, text
    case larger, smaller, slower, faster, since, until
    case failed, direction, network, loopback, cellular, expensive, constrained, multipath, proxied
    case task, connection, exchange

    /// The kind of values that a key has.
    package enum Values: Hashable, Sendable {
        /// Text, with `*` for any characters, or a regular expression.
        case pattern
        /// Text without such a `*`, or a regular expression.
        case text
        /// Text alone.
        case word
        case statuses, size, duration, moment, number, direction
        /// Yes or no; yes if there is no value.
        case flag
    }

    /// The kind of its values.
    package var values: Values {
        switch self {
        case .host, .method, .type, .path, .process, .device, .has: .pattern
        case .api, .header, .body, .text: .text
        case .network: .word
        case .status: .statuses
        case .larger, .smaller: .size
        case .slower, .faster: .duration
        case .since, .until: .moment
        case .task, .connection, .exchange: .number
        case .direction: .direction
        case .failed, .loopback, .cellular, .expensive, .constrained, .multipath, .proxied: .flag
        }
    }

    /// Whether upper and lower case of ASCII letters are the same in its text.
    package var foldsCase: Bool {
        switch self {
        case .api, .path, .process, .device, .network: false
        default: true
        }
    }
}
