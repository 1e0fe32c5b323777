internal import TextFormats

/// The sums of one API: a method and a URL template, on one host or on several.
public struct MeteredAPI: MeteredFigures, Sendable {
    /// The method; empty for requests that failed before they were sent, such as those to a closed port.
    public let method: String
    /// The host, with its port if that is not the scheme's default; nil for a sum over all hosts.
    public let host: String?
    /// The path with its variable parts replaced by names: `/users/{id}`.
    public let template: String
    /// The sums over the API's exchanges.
    public let figures: TrafficTotal

    /// The API and its sums in words.
    public var description: String {
        let name = [method.isEmpty ? "(never sent)" : method, host, template].compactMap(\.self).joined(separator: " ")
        return TerminalText.escaped(name) + ": \(summary)" + (largestPart.map { "; \($0)" } ?? "")
    }
}
