/// On which end of an exchange or a connection the metered program was.
///
/// `up` is always from the client to the server, and `down` from the server to the client: requests go up and responses
/// go down, whichever end was metered. So the client's and the server's row of one connection have equal numbers.
public enum TrafficDirection: String, Hashable, Sendable, CaseIterable {
    /// The program sent the request: it is an HTTP client, in OpenTelemetry's words a span of the kind `CLIENT`.
    case called
    /// The program sent the response: it is an HTTP server, in OpenTelemetry's words a span of the kind `SERVER`.
    case served
}
