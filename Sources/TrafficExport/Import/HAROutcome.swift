import TrafficModel

/// Finds the outcome of an exchange from the words that browsers and other writers of HARs use.
enum HAROutcome {
    /// The outcome of an entry: completed if it has a status and no error.
    static func outcome(of entry: HAREntry) -> ExchangeEnd.Outcome {
        let error = HARImport.oneLine(entry.error)
        switch entry.own?.outcome {
        case "completed": return .completed
        case "cancelled": return .cancelled
        case "timedOut": return .timedOut
        case "abandoned": return .abandoned
        case "incomplete": return .incomplete
        case "failed":
            let code = Int(clamping: entry.own?.errorCode ?? 0)
            return .failed(ExchangeFailure(domain(of: entry, code: code), code: code, message: error))
        default: break
        }
        if error.isEmpty {
            return entry.status > 0
                ? .completed : .failed(ExchangeFailure(.archive, code: 0, message: "the archive has no response"))
        }
        let word = error.uppercased()
        if word.contains("ABORTED") { return .cancelled }
        if word.contains("TIMED_OUT") || word.contains("NET_TIMEOUT") { return .timedOut }
        guard let code = codes.first(where: { word.contains($0.word) })?.code else {
            return .failed(ExchangeFailure(.archive, code: 0, message: error))
        }
        return .failed(ExchangeFailure(.libcurl, code: code, message: error))
    }

    /// The error domain that the archive names.
    ///
    /// Earlier versions of our exports named none; the sign of the code implies it there.
    private static func domain(of entry: HAREntry, code: Int) -> ExchangeFailure.Domain {
        if let named = entry.own?.errorDomain, !named.isEmpty { return .init(HARImport.oneLine(named)) }
        return code < 0 ? .urlSession : code > 0 ? .libcurl : .archive
    }

    /// libcurl's codes for the errors of Chromium (`net::ERR_…`) and Firefox (`NS_ERROR_…`); 0 for all others.
    private static let codes: [(word: String, code: Int)] = [
        ("NAME_NOT_RESOLVED", 6), ("UNKNOWN_HOST", 6), ("CONNECTION_REFUSED", 7), ("ADDRESS_UNREACHABLE", 7),
        ("EMPTY_RESPONSE", 52), ("CONNECTION_RESET", 56), ("NET_RESET", 56), ("CONNECTION_CLOSED", 56),
        ("CONTENT_LENGTH_MISMATCH", 18), ("INCOMPLETE_CHUNKED", 18), ("PARTIAL_TRANSFER", 18), ("CERT_", 60),
        ("SSL_", 35), ("TOO_MANY_REDIRECTS", 47),
    ]
}
