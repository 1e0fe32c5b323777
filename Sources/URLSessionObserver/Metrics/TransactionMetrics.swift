#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    package import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// What the system tells of one transaction of a task; its own class conforms, and so do plain values in tests.
///
/// Counts are -1 where the system does not know. A header count includes the start line; a body count is of the bytes
/// on the wire: content coding and framing included.
package protocol TransactionMetrics {
    var request: URLRequest { get }
    var response: URLResponse? { get }

    var fetchStartDate: Date? { get }
    var domainLookupStartDate: Date? { get }
    var domainLookupEndDate: Date? { get }
    var connectStartDate: Date? { get }
    var secureConnectionStartDate: Date? { get }
    var secureConnectionEndDate: Date? { get }
    var connectEndDate: Date? { get }
    var requestStartDate: Date? { get }
    var requestEndDate: Date? { get }
    var responseStartDate: Date? { get }
    var responseEndDate: Date? { get }

    var countOfRequestHeaderBytesSent: Int64 { get }
    var countOfRequestBodyBytesSent: Int64 { get }
    var countOfResponseHeaderBytesReceived: Int64 { get }
    var countOfResponseBodyBytesReceived: Int64 { get }
    var countOfResponseBodyBytesAfterDecoding: Int64 { get }

    /// The protocol's ALPN name (RFC 7301), such as `http/1.1`, `h2`, `h3`.
    var networkProtocolName: String? { get }
    var isReusedConnection: Bool { get }
    /// Where it came from.
    var fetchType: TransactionFetchType { get }
    /// The connection that carried it, by its ends and its network.
    var path: TransactionPath { get }
}

/// Where a response came from.
package enum TransactionFetchType: Hashable, Sendable {
    /// The system does not say.
    case unknown
    /// Over the network.
    case network
    /// Sent by the server unasked.
    case push
    /// Out of the cache: nothing went over the wire.
    case cache
}

extension URLSessionTaskTransactionMetrics: TransactionMetrics {
    package var fetchType: TransactionFetchType {
        switch resourceFetchType.rawValue {
        case 1: .network
        case 2: .push
        case 3: .cache
        default: .unknown
        }
    }

    package var path: TransactionPath {
        TransactionPath(
            localAddress: localAddress, localPort: TransactionPath.port(localPort), remoteAddress: remoteAddress,
            remotePort: TransactionPath.port(remotePort), isCellular: isCellular, isExpensive: isExpensive,
            isConstrained: isConstrained, isMultipath: isMultipath)
    }
}
