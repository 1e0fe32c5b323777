internal import ConnectionAccounts

#if canImport(FoundationNetworking)
    package import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif
package import TrafficModel

/// The system's metrics of one transaction of a task; the system's class conforms, and so do plain values in tests.
///
/// A count is -1 if the system does not know it. A header count includes the start line. The count of a body that was
/// sent or received is of the bytes on the wire, with content coding and framing.
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
    /// The size of the data, the file or the stream that the program gave.
    var countOfRequestBodyBytesBeforeEncoding: Int64 { get }
    var countOfRequestBodyBytesSent: Int64 { get }
    var countOfResponseHeaderBytesReceived: Int64 { get }
    var countOfResponseBodyBytesReceived: Int64 { get }
    /// The size of what the program got.
    var countOfResponseBodyBytesAfterDecoding: Int64 { get }

    /// The protocol's ALPN name (RFC 7301), such as `http/1.1`, `h2`, `h3`.
    var networkProtocolName: String? { get }
    var isReusedConnection: Bool { get }
    /// Where the response came from.
    var fetchType: TransactionFetchType { get }
    /// The ends and the network of the connection that carried it.
    var path: TransactionPath { get }
    /// What the ends of its connection agreed on; nil if the system reports no TLS.
    var tls: ConnectionRecord.TLS? { get }
}

extension TransactionMetrics {
    /// Whether the system has no trace of a network: a protocol class of the program's may have loaded it, whose traffic the
    /// system does not see, and counts as 0 (Alamofire/Alamofire#3151 shows one).
    var wasSeenByNobody: Bool {
        fetchType == .unknown && networkProtocolName == nil && domainLookupStartDate == nil && connectStartDate == nil
            && requestStartDate == nil && responseStartDate == nil
    }
}

/// Where a response came from.
package enum TransactionFetchType: Hashable, Sendable {
    /// The system does not report it.
    case unknown
    /// The response came over the network.
    case network
    /// The server pushed the response without a request.
    case push
    /// The response came from the cache, so no bytes went over the wire.
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
            isConstrained: isConstrained, isMultipath: isMultipath, isProxied: isProxyConnection,
            domainResolution: domainResolution)
    }

    // Foundation for Linux has no such property.
    #if canImport(Darwin)
        private var domainResolution: Int? { domainResolutionProtocol.rawValue }
    #else
        private var domainResolution: Int? { nil }
    #endif

    package var tls: ConnectionRecord.TLS? {
        ConnectionRecord.TLS(
            protocolVersion: negotiatedTLSProtocolVersion?.rawValue, cipherSuite: negotiatedTLSCipherSuite?.rawValue)
    }
}
