extension Audit {
    /// The thresholds of the rules.
    ///
    /// A value equal to its limit is still fine; only a value above it leads to a finding. The limits named `least` are
    /// different: they are the smallest values that count.
    package struct Limits: Sendable {
        // MARK: How much is examined

        /// Exchange numbers in a finding: enough to see a pattern, few enough for a line.
        package var evidence = 5
        /// Bodies of one API that are compressed to measure the gain; more would hardly change the ratio.
        package var compressedBodies = 20
        /// Bytes of bodies that are compressed in one audit: about a second's work for zlib.
        package var compressedBytes: Int64 = 32 << 20
        /// URLs that are remembered at once, which bounds the memory.
        package var rememberedRequests = 40_000

        /// Bodies that are read: pages for their scripts, and responses without a media type to find their kind.
        package var readPages = 2_000
        /// The largest of these bodies, in bytes.
        package var readPage: Int64 = 1 << 20

        // MARK: What is worth reporting

        /// A finding that saves fewer bytes in all, and less time than ``leastTime``, is not shown: these bytes are one
        /// packet.
        package var leastBytes: Int64 = 1_460
        /// Nanoseconds that make a finding worth showing even if its bytes do not: a delay that people begin to notice.
        package var leastTime: Int64 = 100_000_000
        /// Bytes that take as long as a millisecond, to sort bytes and time together: a link of 10 Mbit/s.
        package var bytesPerMillisecond: Int64 = 1_250

        // MARK: Bodies

        /// Text up to this size may be uncompressed: with its headers it fits one packet, so compressing it gains
        /// nothing.
        package var smallText: Int64 = 1_000
        /// The largest reasonable image, in bytes: a photograph that fills a phone's screen is smaller in WebP or AVIF.
        package var largeImage: Int64 = 200_000
        /// The share of a chunked body that framing may take; above it, chunks are smaller than about 100 bytes.
        package var framingShare = 0.05
        /// Chunked bodies up to this size are too small for their chunks to matter.
        package var smallChunkedBody: Int64 = 500
        /// Bytes that a cancelled download may have received: headers and the first packets are unavoidable.
        package var cancelledBytes: Int64 = 4_380

        // MARK: Headers

        /// Bytes of cookies in one call, both directions; more do not fit one packet with the request's other lines.
        package var firstPartyCookies: Int64 = 1_024
        /// The same for hosts of another site than the one that gets most requests; these mostly only count visitors.
        package var thirdPartyCookies: Int64 = 256
        /// Bytes of cookies that a call may keep when the saving is computed: enough for a session identifier.
        package var sessionCookie: Int64 = 64
        /// Bytes of a request's headers without cookies; larger headers are often tokens and debugging aids.
        package var requestFields: Int64 = 1_024

        // MARK: Repetition

        /// Nanoseconds within which an equal request is redundant: nothing that people look at changes faster.
        package var identicalWithin: Int64 = 2_000_000_000
        /// Repetitions of an API from which they are no coincidence.
        package var leastRepetitions = 2
        /// This number of equal responses in a row, at even intervals, is polling.
        package var pollsInARow = 5
        /// The share by which two intervals may differ and still be even.
        package var pollJitter = 0.5
        /// The longest interval of polling, in nanoseconds; rarer requests cost little.
        package var pollInterval: Int64 = 600_000_000_000
        /// Redirects of an API from which they are no coincidence.
        package var leastRedirects = 2

        // MARK: Failures

        /// Failed calls of an API from which they are no coincidence.
        package var leastFailures = 2
        /// The share of an API's calls that may fail.
        package var failureShare = 0.01
        /// The same request within this time after a failure, in nanoseconds, is a retry.
        package var retryWithin: Int64 = 60_000_000_000
        /// Retries of an API from which they are no coincidence.
        package var leastRetries = 2
        /// Cancelled downloads of an API from which they are no coincidence.
        package var leastCancels = 2

        // MARK: Time

        /// Nanoseconds of a name lookup: a resolver nearby takes less, even if it must ask others.
        package var lookup: Int64 = 100_000_000
        /// Nanoseconds of a TCP handshake: it takes one round trip, and few hosts are further away than this.
        package var connect: Int64 = 200_000_000
        /// Nanoseconds of a TLS handshake: one round trip with TLS 1.3, two before, and some computing.
        package var tls: Int64 = 400_000_000
        /// Nanoseconds until the first byte; web.dev calls up to this good.
        package var wait: Int64 = 800_000_000
        /// Slow calls of an API from which they are no coincidence.
        package var leastSlowCalls = 3
        /// The share of the calls with a phase in which the phase may be slow.
        package var slowShare = 0.1

        // MARK: Connections

        /// Nanoseconds that an idle connection can be expected to stay open: servers close after 5 to 75 seconds, most
        /// after 60.
        package var keepAlive: Int64 = 60_000_000_000
        /// Connections opened while another was idle, from which they are no coincidence: clients race at times.
        package var leastOpenings = 3
        /// Simultaneous connections to one host with HTTP/1.1; above it, requests wait for each other.
        package var parallelConnections = 4

        // MARK: Tampering

        /// Responses of one kind after which another kind is suspicious.
        package var establishedAnswers = 5
        /// Responses that must confirm an API's strong ETags, by the same bytes or by a 304, before other bytes with
        /// the same ETag are suspicious: some servers create a new body and keep the ETag.
        package var confirmedTags = 2
        /// The share of an API's responses up to which another kind is suspicious; above it, it is normal for the API.
        package var strangeShare = 0.1

        /// The default limits, which the documentation lists.
        package init() {}
    }
}
