/// Every sentence about how much of the traffic the rows account for, with `{names}` for values.
///
/// The set is closed, so that each sentence can be translated.
package enum CompletenessPhrase: String, Sendable, CaseIterable {
    case exact, captured, partly
    case missing, missingOne, excess, excessOne
    case unknown, unknownOne, unproven, unprovenOne, partlyUnknown, partlyUnknownOne
    case named, withoutExchange, withoutExchangeOne, selection, notWhole
    case withoutDetails, withoutDetailsOne, withoutAnyDetails

    /// The sentence in English.
    package var english: String {
        switch self {
        case .exact: "{share} of {total} was captured, exact to the byte."
        case .captured: "{share} of {total} was captured."
        case .partly: "{share} of {total} was captured; ~ marks sums of which a part is reported or reconstructed."
        case .missing: "{size} on {count} connections belong to no message, most of them on {connections}."
        case .missingOne: "{size} on {connections} belong to no message."
        case .excess: "The messages of {count} connections have {size} more than the kernel counted."
        case .excessOne: "The messages of {connections} have {size} more than the kernel counted."
        case .unknown: "The kernel's count of {count} connections is not known."
        case .unknownOne: "The kernel's count of 1 connection is not known."
        case .unproven:
            "On {count} connections the bytes inside TLS were not counted, so their ledgers prove nothing."
        case .unprovenOne: "On 1 connection the bytes inside TLS were not counted, so its ledger proves nothing."
        case .partlyUnknown: "Part of the size of {count} messages is not known."
        case .partlyUnknownOne: "Part of the size of 1 message is not known."
        case .named: "The connections also carried {parts}."
        case .withoutExchange:
            "{count} connections carried no exchange, and {size} of TLS and other protocols' overhead."
        case .withoutExchangeOne: "1 connection carried no exchange, and {size} of TLS and other protocols' overhead."
        case .selection: "The filter selects messages, so connections were not compared with the kernel's count."
        case .notWhole:
            "Not all connections are known here, so they were not compared with the kernel's count."
        case .withoutDetails:
            "{count} of {installations} installations sent no details of this time, so their requests are not in these sums."
        case .withoutDetailsOne:
            "1 of {installations} installations sent no details of this time, so its requests are not in these sums."
        case .withoutAnyDetails:
            "No installation sent details of this time; reports by API, host and the like count all requests."
        }
    }
}
