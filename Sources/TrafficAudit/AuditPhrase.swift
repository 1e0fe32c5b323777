/// Every sentence of the audit, with `{names}` for values.
///
/// The set is closed, so that each sentence can be translated. `{Calls}` and `{Kind}` are at the start of a sentence.
package enum AuditPhrase: String, Sendable, CaseIterable {
    case cancelled, cancelledRemedy
    case notReused, notReusedClosed, notReusedRemedy, notReusedServerRemedy
    case failed, failedRemedy, refusedRemedy
    case identical, identicalRemedy
    case largeImages, largeImagesRemedy, largeImagesSource
    case manyConnections, manyConnectionsRemedy
    case firstPartyCookies, firstPartyCookiesRemedy
    case thirdPartyCookies, thirdPartyCookiesRemedy
    case requestFields, requestFieldsRemedy
    case redirects, secureRedirectRemedy, slashRedirectRemedy, chainRedirectRemedy, permanentRedirectRemedy
    case redirectRemedy
    case repeatedAsked, repeatedAskedRemedy, repeatedUnnamed, repeatedUnnamedRemedy
    case retries, retriesFailed, retriesRemedy
    case slowLookup, slowLookupRemedy, slowConnect, slowConnectRemedy, slowTLS, slowTLSRemedy
    case slowServer, slowServerRemedy
    case tampering, tamperingRemedy
    case uncodedAsked, uncodedAskedRemedy, uncodedUnasked, uncodedUnaskedRemedy
    case uncodedUpload, uncodedUploadRemedy
    case tinyChunks, tinyChunksRemedy
    case polling, pollingRemedy
    case validators, validatorsRemedy
    case counted, notAllCounted
    case keptBody, keptBodies, ratioOfAPI, ratioOfHost, ratioOfFile, ratioInGeneral

    /// The sentence in English.
    package var english: String {
        switch self {
        case .cancelled: "{Calls} were cancelled after {size} on average had arrived."
        case .cancelledRemedy:
            "Request it later, request less, or resume with a Range request instead of starting again."
        case .notReused:
            "{Calls} opened a connection while another to the same host was idle; the handshakes took {time} each."
        case .notReusedClosed:
            "{Calls} opened a connection while another to the same host was idle; the handshakes took {time} each, "
                + "and the server closes with 'Connection: close'."
        case .notReusedRemedy: "Use one client or session for all calls, and read each response to its end."
        case .notReusedServerRemedy: "Let the server keep connections open."
        case .failed: "{Calls} failed ({kinds})."
        case .failedRemedy:
            "Look into the failures with 'wireweight show'; let calls that cannot succeed fail before they are sent."
        case .refusedRemedy: "Do not send what the server will refuse: check before, and remember a refusal."
        case .identical: "The same URL was requested again within {time}, with the same response, in {calls}."
        case .identicalRemedy:
            "Share one call among callers that need it at the same time, and keep its response for a moment."
        case .largeImages: "Images of {size} on average come in {calls} ({kinds})."
        case .largeImagesRemedy: "Serve them in the size that is shown, as WebP or AVIF."
        case .largeImagesSource: "what is above {size} an image"
        case .manyConnections:
            "Up to {most} connections at once go to this host with HTTP/1.1; {count} were opened because the others "
                + "were busy."
        case .manyConnectionsRemedy:
            "Switch on HTTP/2 at the server, and let the client negotiate it: all calls share one connection."
        case .firstPartyCookies: "First-party cookies of {size} on average travel with {calls}, {sum} in all."
        case .firstPartyCookiesRemedy:
            "Keep a session's number in the cookie and the rest on the server, or narrow Path and Domain."
        case .thirdPartyCookies: "Third-party cookies of {size} on average travel with {calls}, {sum} in all."
        case .thirdPartyCookiesRemedy: "Keep no cookies for this host, unless it needs them to respond."
        case .requestFields: "The headers of a request, without cookies, take {size} on average in {calls}: {lines}."
        case .requestFieldsRemedy:
            "Shorten or leave out the largest; what never changes can be sent once, or kept by the server."
        default: englishOfTheRest
        }
    }

    private var englishOfTheRest: String {
        switch self {
        case .redirects: "{Calls} only led to another URL ({kinds})."
        case .secureRedirectRemedy: "Request the https URL directly; HSTS makes browsers do so."
        case .slashRedirectRemedy: "Use the URL that the server redirects to, with or without the trailing slash."
        case .chainRedirectRemedy: "Let the first redirect lead to the last URL, or request that URL directly."
        case .permanentRedirectRemedy:
            "Request the URL that the server names; it says that the move is permanent."
        case .redirectRemedy:
            "Request the target directly if it is known, or let the server respond without a redirect."
        case .repeatedAsked:
            "The same body came again in {calls}, {size} in all, although the client asked whether it had changed."
        case .repeatedAskedRemedy: "Let the server answer 304 when If-None-Match or If-Modified-Since still holds."
        case .repeatedUnnamed:
            "The same body came again in {calls}, {size} in all; the responses carry neither ETag nor Last-Modified."
        case .repeatedUnnamedRemedy: "Let the server send an ETag, or 'Cache-Control: max-age', and keep the body."
        case .retries: "{count} retries followed failed attempts ({kinds}); none of them failed as well."
        case .retriesFailed: "{count} retries followed failed attempts ({kinds}); {failed} of them failed as well."
        case .retriesRemedy:
            "Retry only what can succeed, with growing pauses; resume uploads where they broke off."
        case .slowLookup: Self.slow("The name lookup", of: "the calls to this host")
        case .slowLookupRemedy:
            "Use a caching resolver on the machine or in its network, give the name a longer TTL, look it up before it "
                + "is needed (DNS prefetch), connect by address where it is fixed, and use fewer host names."
        case .slowConnect: Self.slow("The TCP handshake", of: "the calls to this host")
        case .slowConnectRemedy:
            "Keep connections open and use them again, open them before they are needed (preconnect), let all calls "
                + "share one with HTTP/2, and serve from a region or CDN near the clients."
        case .slowTLS: Self.slow("The TLS handshake", of: "the calls to this host")
        case .slowTLSRemedy:
            "Resume sessions (tickets), use TLS 1.3, which needs one round trip less, send a short certificate chain, "
                + "and keep connections open; HTTP/2 needs one handshake for all calls."
        case .slowServer: Self.slow("The server's first byte", of: "these calls")
        case .slowServerRemedy:
            "Find out what the server does before its first byte (queries, calls to other services, a cold start); "
                + "cache the response, work in parallel, or send the response while it is made."
        case .tampering: "Something between client and server changed {calls}: {kinds}."
        case .tamperingRemedy:
            "Use https without exceptions; where it was used, find out whose certificate was trusted."
        default: englishOfCodings
        }
    }

    private var englishOfCodings: String {
        switch self {
        case .uncodedAsked:
            "{Kind} of {size} on average came uncompressed in {calls}, although the client accepts compression."
        case .uncodedAskedRemedy: "Let the server compress {kind} with gzip or better."
        case .uncodedUnasked:
            "{Kind} of {size} on average came uncompressed in {calls}; the client did not request compression."
        case .uncodedUnaskedRemedy:
            "Send 'Accept-Encoding: gzip' and decode, or leave that header to the HTTP library."
        case .uncodedUpload: "{Kind} of {size} on average was uploaded uncompressed in {calls}."
        case .uncodedUploadRemedy: "Compress the body and send 'Content-Encoding: gzip', if the server accepts it."
        case .tinyChunks: "Chunks are so small that their framing adds {share} to the body in {calls}."
        case .tinyChunksRemedy: "Let the server fill a buffer before it writes, or send a Content-Length."
        case .polling: "The same URL is requested every {time}, and the response did not change in {calls}."
        case .pollingRemedy:
            "Poll less often, let the interval grow while nothing changes, or have the server push changes."
        case .validators:
            "The same body came again in {calls}, {size} in all, although the earlier response carried an "
                + "ETag or Last-Modified."
        case .validatorsRemedy:
            "Keep the response and send If-None-Match or If-Modified-Since; a 304 has no body."
        case .counted: "counted on the wire"
        case .notAllCounted: "from sizes that are not all counted"
        case .keptBody: "1 kept body compressed with gzip to {share}"
        case .keptBodies: "{count} kept bodies compressed with gzip to {share}"
        case .ratioOfAPI: "this API's own compressed {kind} shrinks to {share}"
        case .ratioOfHost: "the host's compressed {kind} shrinks to {share}"
        case .ratioOfFile: "the file's compressed {kind} shrinks to {share}"
        case .ratioInGeneral: "text shrinks to half or less with gzip; no body was kept to measure it"
        default: rawValue
        }
    }

    private static func slow(_ phase: String, of calls: String) -> String {
        "\(phase) took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time "
            + "of \(calls)."
    }
}
