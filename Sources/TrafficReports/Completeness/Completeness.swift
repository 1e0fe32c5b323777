package import TextFormats
package import TrafficModel

/// How much of the bytes on the wire the rows account for; summaries, reports and pages all show this verdict.
///
/// It is computed from the messages, the ledgers of the connections, and the losses.
package struct Completeness: Hashable, Sendable {
    /// Bytes of the messages.
    let messages: ByteCount
    /// Bytes of the messages that were captured.
    let capturedMessages: ByteCount
    /// The number of exchanges.
    let requests: Int64
    /// The number of messages with a part of unknown size.
    let partlyUnknown: Int64
    /// What the ledgers of the connections account for, and what they leave open.
    package let ledger: LedgerCoverage
    /// The number of losses, all reasons together.
    let lost: Int64
    /// Whether only some messages of the connections count, so that nothing is known of the connections.
    let isSelection: Bool
    /// How many installations of a fleet the rows are of; nil unless rows are counted, and of a file.
    let details: DetailCoverage?

    /// Creates the verdict on those sums.
    ///
    /// - Parameters:
    ///   - totals: the sum of all groups.
    ///   - ledger: the ledgers of the connections that carried them; empty for a selection.
    ///   - losses: what could not be recorded.
    ///   - isSelection: whether a filter selects among the messages of the connections.
    ///   - details: how many installations of a fleet the rows are of, if rows are counted.
    package init(
        of totals: TrafficTotal, _ ledger: LedgerCoverage, losses: [TrafficLoss], isSelection: Bool = false,
        details: DetailCoverage? = nil
    ) {
        messages = totals.bytes
        capturedMessages = totals.up.captured + totals.down.captured
        requests = totals.requests
        partlyUnknown = totals.partlyUnknown
        self.ledger = ledger
        self.isSelection = isSelection
        self.details = details
        lost = losses.reduce(0) { $0 &+ max(0, $1.count) }
    }

    /// The bytes that the share refers to: the messages, and bytes that nothing explains.
    var bytes: ByteCount { messages + ledger.unaccounted.total }

    /// The share of all bytes that were captured, from 0 to 1.
    ///
    /// Bytes that nothing explains were not captured. Messages beyond the kernel's count were not carried. Each loss
    /// counts as an exchange of average size, and so does each connection and each message with an unknown size. So the
    /// share is 1 only if ``isExact`` is true, or if every message was captured, and a filter selects among them or not all
    /// connections are known.
    package var captured: Double {
        captured(besides: Double(lost) + Double(ledger.unknown) + Double(ledger.unproven) + Double(partlyUnknown))
    }

    private func captured(besides open: Double) -> Double {
        let carried = max(0, capturedMessages.bytes - ledger.excess.total.bytes)
        let share = bytes == 0 ? 1 : Double(carried) / Double(bytes.bytes)
        return open == 0 ? share : share * Double(requests) / (Double(requests) + open)
    }

    /// The share that the sentences say, from 0 to 1: of the bytes that are known, and of what was lost.
    ///
    /// What is not known of connections and of sizes has no number of bytes, so sentences of their own say that.
    private var saidShare: Double { captured(besides: Double(lost)) }

    /// Whether every byte was captured, every connection adds up, and nothing was lost; false if that is not known.
    package var isExact: Bool {
        capturedMessages == messages && partlyUnknown == 0 && lost == 0 && ledger.isComplete && !isSelection
            && withoutDetails == nil
    }

    /// Whether the connections carried only messages, TLS and HTTP/2; false unless this is known of all of them.
    var isOnlyMessages: Bool {
        ledger.isComplete && ledger.parts.isEmpty && ledger.withoutExchange == 0 && lost == 0 && !isSelection
    }

    /// Whether the overhead includes protocols other than TLS and HTTP/2.
    var namesOverhead: Bool { ledger.parts.contains { $0.key.isOverhead } }

    /// The verdict in sentences, the share first.
    package var sentences: [CompletenessSentence] { ofRows + [withoutDetails].compactMap(\.self) }

    /// What the rows leave out, because installations of a fleet have sent sums alone; nil if they have not.
    package var withoutDetails: CompletenessSentence? {
        guard let details, details.withoutDetails > 0 else { return nil }
        let phrase: CompletenessPhrase =
            details.withoutDetails == details.installations
            ? .withoutAnyDetails : details.withoutDetails == 1 ? .withoutDetailsOne : .withoutDetails
        return CompletenessSentence(
            phrase, ["count": .count(details.withoutDetails), "installations": .count(details.installations)])
    }

    private var ofRows: [CompletenessSentence] {
        let isNothingKnown = ledger.isComplete && ledger.parts.isEmpty && ledger.withoutExchange == 0
        if messages == 0, isNothingKnown { return [] }
        var said: [CompletenessSentence] = []
        let phrase: CompletenessPhrase =
            isExact ? .exact : capturedMessages < messages || partlyUnknown > 0 ? .partly : .captured
        said.append(.init(phrase, ["share": .share(saidShare), "total": .bytes(bytes)]))
        let isOne = ledger.unclosed == 1 && ledger.examples.count == 1
        func add(_ size: ByteCount, _ one: CompletenessPhrase, _ many: CompletenessPhrase) {
            guard size > 0 else { return }
            said.append(
                .init(
                    isOne ? one : many,
                    [
                        "size": .bytes(size), "count": .count(ledger.unclosed),
                        "connections": .connections(ledger.examples),
                    ]))
        }
        add(ledger.unaccounted.total, .missingOne, .missing)
        add(ledger.excess.total, .excessOne, .excess)
        func add(_ count: Int64, _ one: CompletenessPhrase, _ many: CompletenessPhrase) {
            if count > 0 { said.append(.init(count == 1 ? one : many, ["count": .count(count)])) }
        }
        add(ledger.unknown, .unknownOne, .unknown)
        add(ledger.unproven, .unprovenOne, .unproven)
        add(partlyUnknown, .partlyUnknownOne, .partlyUnknown)
        if isSelection { said.append(.init(.selection, [:])) }
        if !ledger.isWhole { said.append(.init(.notWhole, [:])) }
        if !ledger.parts.isEmpty {
            let parts = ConnectionPart.rare.compactMap { part in
                ledger.parts[part].map { CompletenessSentence.Part(part: part, size: $0.total) }
            }
            said.append(.init(.named, ["parts": .parts(parts)]))
        }
        if ledger.withoutExchange > 0 {
            said.append(
                .init(
                    ledger.withoutExchange == 1 ? .withoutExchangeOne : .withoutExchange,
                    [
                        "count": .count(ledger.withoutExchange),
                        "size": .bytes(ledger.overheadWithoutExchange.total),
                    ]))
        }
        return said
    }

    /// Members to add to a JSON object with the totals.
    package var members: [JSONValue.Member] {
        [
            .init("captured", .share(captured)), .init("exact", .bool(isExact)),
            .init(
                "ledger",
                .object(
                    [
                        .init("unclosed", .integer(ledger.unclosed)),
                        .init("unaccounted", .object(ledger.unaccounted.members)),
                        .init("excess", .object(ledger.excess.members)),
                        .init("unknown", .integer(ledger.unknown)), .init("unproven", .integer(ledger.unproven)),
                        .init("connections", .array(ledger.examples.map(\.json))),
                    ]
                        + ConnectionPart.rare.map { part in
                            .init(part.name, .object((ledger.parts[part] ?? .zero).members))
                        }
                        + [
                            .init("withoutExchange", .integer(ledger.withoutExchange)),
                            .init("overheadWithoutExchange", .object(ledger.overheadWithoutExchange.members)),
                        ])),
            .init("partlyUnknown", .integer(partlyUnknown)),
        ] + detailMembers
    }

    // Of a fleet alone, and only if something is left out.
    private var detailMembers: [JSONValue.Member] {
        guard let details, details.withoutDetails > 0 else { return [] }
        return [
            .init(
                "details",
                .object([
                    .init("installations", .integer(details.installations)),
                    .init("without", .integer(details.withoutDetails)),
                ]))
        ]
    }

    /// The phrases and their values as JSON, for other languages.
    package var json: JSONValue {
        .object(members + [.init("said", .array(sentences.map(\.json)))])
    }
}
