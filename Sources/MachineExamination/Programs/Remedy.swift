package import TrafficModel

/// What the user can do where the tap does not see a program's messages.
package enum Remedy {
    /// What meters HTTP that nothing inside the program shows.
    package static let proxy =
        "'wireweight proxy -- PROGRAM' meters it from outside: HTTP request by request, HTTPS by connection, or with "
        + "'--open-tls' request by request, too."

    /// What to do if the messages of connections were not seen for that reason.
    package static func of(_ reason: UnseenTraffic.Reason) -> String {
        switch reason {
        case .http2, .nothingSent: "The program's own messages may say why it sent nothing."
        case .tls: "For a browser, 'wireweight run --tls-keys' uses the keys that it writes. " + proxy
        default: proxy
        }
    }
}
