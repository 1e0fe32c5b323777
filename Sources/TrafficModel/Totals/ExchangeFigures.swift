/// The part of an exchange that ``TrafficSums`` count, apart from its end.
///
/// A writer keeps it until the end of the exchange, instead of the records with their headers.
package struct ExchangeFigures: Sendable {
    /// When the exchange began.
    package var startedAt: Timestamp
    /// The size of the request.
    package var up: WireSize
    /// The size of the response; `nothing` until there is one.
    package private(set) var down = WireSize.nothing
    /// Whether there is a response.
    package private(set) var hasResponse = false
    /// The status; 0 until there is a response.
    package private(set) var status = 0
    /// Whether the response is one to the request: see ``ResponseRecord/isAnswer``.
    package private(set) var isAnswered = false
    /// The size as sent of the response's body if it has a content coding and a known decoded size; else 0.
    package private(set) var encodedBody = ByteCount.zero
    /// The size of the same body after decoding.
    package private(set) var decodedBody = ByteCount.zero

    /// An exchange without a response.
    package init(startedAt: Timestamp, up: WireSize) {
        self.startedAt = startedAt
        self.up = up
    }

    /// The figures of those records.
    package init(_ exchange: borrowing Exchange) {
        self.init(startedAt: exchange.request.startedAt, up: exchange.request.size)
        guard let response = exchange.response else { return }
        take(response)
    }

    /// Takes the size and the status from a response.
    package mutating func take(_ response: borrowing ResponseRecord) {
        take(
            response.size, status: response.status, isAnswer: response.isAnswer,
            decodedBody: response.contentEncoding.isEmpty ? nil : response.decodedBody)
    }

    /// Takes the size and the status of a response; `decodedBody` is nil if its body has no content coding.
    package mutating func take(_ size: WireSize, status: Int, isAnswer: Bool, decodedBody decoded: WireSize.Part?) {
        down = size
        hasResponse = true
        self.status = status
        isAnswered = isAnswer
        (encodedBody, decodedBody) = (.zero, .zero)
        guard let decoded, decoded.evidence != .unknown, size.body.evidence != .unknown, size.body.bytes > 0 else {
            return
        }
        (encodedBody, decodedBody) = (size.body.bytes, decoded.bytes)
    }

    /// What the exchange weighs as one call; nil if it is unfinished, or if nothing was sent: see ``CallWeights``.
    package func weight(_ end: EndFigures?) -> ByteFlow? {
        end.flatMap { weight(endedBy: $0) }
    }

    /// What the exchange weighs as one call after that end: see ``weight(_:)``.
    package func weight(endedBy end: borrowing EndFigures) -> ByteFlow? {
        guard !end.isUnseen else { return nil }
        let weight = ByteFlow(up: up.known, down: down.known)
        return weight == .zero ? nil : weight
    }

    /// Whether the exchange failed: see ``Exchange/hasFailed``.
    package func hasFailed(with end: EndFigures?) -> Bool { hasFailed(outcomeIsFailure: end?.isFailure == true) }

    /// Whether the exchange failed, whose outcome is a failure or not: see ``Exchange/hasFailed``.
    package func hasFailed(outcomeIsFailure isFailure: Bool) -> Bool {
        status >= FailedExchange.lowestStatus || isFailure
    }

    /// Whether the exchange failed: see ``Exchange/hasFailed``.
    package func hasFailed(_ end: ExchangeEnd?) -> Bool {
        FailedExchange.isIt(status: status, outcome: end?.outcome)
    }
}
