internal import TrafficReports

/// What one API weighed: a method and a URL template, on one host or on several.
public struct MeteredAPI: MeteredFigures, Sendable {
    /// The method; empty for requests that failed before they were sent, such as those to a closed port.
    public let method: String
    /// The host, with the port where it is not the scheme's own; nil for a sum over all hosts.
    public let host: String?
    /// The path, its variable parts replaced by names: `/users/{id}`.
    public let template: String
    /// The sums.
    public let figures: TrafficTotal

    /// The API and its sums in words.
    public var description: String {
        let name = [method.isEmpty ? "(never sent)" : method, host, template].compactMap(\.self).joined(separator: " ")
        return TerminalText.escaped(name) + ": \(summary)"
    }
}
