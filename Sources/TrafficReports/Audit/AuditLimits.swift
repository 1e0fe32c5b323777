extension Audit {
    /// From where on the rules speak.
    ///
    /// What lies at a limit is still fine; what is above it is found.
    package struct Limits: Sendable {
        // MARK: How much is looked at

        /// Exchange numbers beside a finding: enough to see a pattern, few enough for a line.
        package var evidence = 5
        /// Bodies of one API that are compressed to learn how small they become; more change the ratio little.
        package var compressedBodies = 20
        /// Bytes of bodies that are compressed in one audit: about a second's work for zlib.
        package var compressedBytes: Int64 = 32 << 20
        /// URLs that are remembered at once, so that memory stays bounded whatever is asked for.
        package var rememberedRequests = 40_000

        /// Pages that are read for their scripts, and answers without a type for what they are.
        package var readPages = 2_000
        /// The largest of them.
        package var readPage: Int64 = 1 << 20

        // MARK: What is worth a line

        /// A finding that saves less than this in all, and less than ``leastTime``, is not shown: it is one packet.
        package var leastBytes: Int64 = 1_460
        /// The time that makes a finding worth showing where its bytes do not: what a person begins to notice.
        package var leastTime: Int64 = 100_000_000
        /// Bytes that take as long as a millisecond, to rank bytes and time in one list: a link of 10 Mbit/s.
        package var bytesPerMillisecond: Int64 = 1_250

        // MARK: Bodies

        /// Text up to this size is sent as it is: it fits one packet with its head, and compressing gains nothing.
        package var smallText: Int64 = 1_000
        /// An image larger than this: a photograph that fills a phone's screen takes less in WebP or AVIF.
        package var largeImage: Int64 = 200_000
        /// The share of a chunked body that framing may take: above it, chunks are smaller than about 100 bytes.
        package var framingShare = 0.05
        /// A chunked body up to this size is too small for its chunks to matter.
        package var smallChunkedBody: Int64 = 500
        /// Received bytes of a download that was cancelled before it counts: a head and the first packets are unavoidable.
        package var cancelledBytes: Int64 = 4_380

        // MARK: Heads

        /// Cookies of one call, both directions: more does not fit one packet with the request's other lines.
        package var firstPartyCookies: Int64 = 1_024
        /// The same to hosts of another site than the one most requests go to, which mostly only count visitors.
        package var thirdPartyCookies: Int64 = 256
        /// What cookies of a call may keep when a saving is computed: the room of a session's number.
        package var sessionCookie: Int64 = 64
        /// The header section of a request without its cookies: what is larger is often tokens and debugging aids.
        package var requestFields: Int64 = 1_024

        // MARK: Repetition

        /// Two equal requests within this time are one too many: nothing that people look at changes faster.
        package var identicalWithin: Int64 = 2_000_000_000
        /// Repetitions of an API before they are no coincidence.
        package var leastRepetitions = 2
        /// As many equal answers in a row, at even intervals, are polling.
        package var pollsInARow = 5
        /// By what share two intervals may differ and still be even.
        package var pollJitter = 0.5
        /// The longest interval that is polling; what comes more rarely costs little.
        package var pollInterval: Int64 = 600_000_000_000
        /// Redirects of an API before they are no coincidence.
        package var leastRedirects = 2

        // MARK: Failures

        /// Failed calls of an API before they are no coincidence.
        package var leastFailures = 2
        /// The share of an API's calls that may fail.
        package var failureShare = 0.01
        /// The same request that soon after a failure is a retry.
        package var retryWithin: Int64 = 60_000_000_000
        /// Retries of an API before they are no coincidence.
        package var leastRetries = 2
        /// Cancelled downloads of an API before they are no coincidence.
        package var leastCancels = 2

        // MARK: Time

        /// A name lookup: a resolver nearby that has to ask others needs less.
        package var lookup: Int64 = 100_000_000
        /// A TCP handshake: one round trip, and few hosts are further away than this.
        package var connect: Int64 = 200_000_000
        /// A TLS handshake: one round trip with TLS 1.3, two before, and some computing.
        package var tls: Int64 = 400_000_000
        /// Waiting for the first byte; web.dev calls up to this good.
        package var wait: Int64 = 800_000_000
        /// Slow calls of an API before they are no coincidence.
        package var leastSlowCalls = 3
        /// The share of the calls with that phase which may be slow.
        package var slowShare = 0.1

        // MARK: Connections

        /// How long an idle connection can be expected to stay open: servers close after 5 to 75 seconds, most after 60.
        package var keepAlive: Int64 = 60_000_000_000
        /// Connections opened beside an idle one before they are no coincidence: clients race at times.
        package var leastOpenings = 3
        /// Connections at once to one host with HTTP/1.1; above it requests wait for each other.
        package var parallelConnections = 4

        // MARK: Tampering

        /// Answers of one kind before another kind is strange.
        package var establishedAnswers = 5
        /// Times that an API's strong ETags came with the same bytes, or were confirmed, before other bytes under one are
        /// strange: there are servers that make up a new body and keep the tag.
        package var confirmedTags = 2
        /// The share of an API's answers up to which another kind is strange; above it, it is the API's own.
        package var strangeShare = 0.1

        /// The limits of the documentation.
        package init() {}
    }
}
