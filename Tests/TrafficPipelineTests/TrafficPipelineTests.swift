import Testing
import TrafficModel
import URLTemplates
import WireweightTesting

@testable import TrafficPipeline

@Suite struct TrafficPipelineTests {
    @Test("A request is given its template and loses its secrets, its template's included")
    func stages() {
        let sink = RecordingSink()
        let pipeline = TrafficPipeline(to: sink)
        pipeline.record(
            .request(makeRequest(path: "/users/42/token/abcdef012345abcx", query: "key=1", fields: "Cookie: a=b\r\n")))
        var expected = makeRequest(
            path: "/users/42/token/(redacted-16-B)", query: "key=(redacted-1-B)", fields: "Cookie: a=[redacted 1 B]\r\n"
        )
        expected.template = "/users/{id}/token/{secret}"
        #expect(sink.events == [.request(expected)])
    }

    @Test("What follows a filtered request is dropped, and forgotten at its end")
    func filter() {
        let sink = RecordingSink()
        let rules = TrafficPipeline.Rules(hosts: HostFilter(exclude: ["ads.example"]))
        let pipeline = TrafficPipeline(rules, to: sink)
        for id in Int64(1)...1_000 {
            pipeline.record(.request(makeRequest(id, host: "ads.example")))
            pipeline.record(.response(makeResponse(id)))
            #expect(pipeline.hiddenCount == 1)
            pipeline.record(.end(makeEnd(id)))
        }
        #expect(sink.events.isEmpty)
        #expect(pipeline.hiddenCount == 0)
        pipeline.record(.request(makeRequest(5, host: "api.example")))
        pipeline.record(.response(makeResponse(5)))
        pipeline.record(.end(makeEnd(5)))
        pipeline.record(.loss(TrafficLoss(reason: .malformed, count: 2)))
        #expect(sink.events.count == 4)
    }

    @Test(
        "A connection to a host that is left out stays, without the names that TLS has for the host",
        arguments: [
            ("api.example", true), ("ads.example", false), ("ads.api.example", true), ("other.example", false),
            ("port.example", true), ("", true),
        ])
    func names(host: String, isKept: Bool) {
        let sink = RecordingSink()
        let hosts = HostFilter(
            include: ["api.example", "*.api.example", "port.example:8443"], exclude: ["ads.api.example:8443"])
        let pipeline = TrafficPipeline(.init(hosts: hosts), to: sink)
        let record = ConnectionRecord(
            connection: ConnectionID(1), process: ProcessIdentity(pid: 1, name: "app"), localAddress: "",
            remoteAddress: "192.0.2.1:8443", openedAt: Timestamp(nanoseconds: 1), payloadUp: 10, payloadDown: 20)
        var named = record
        named.handshake = TLSHandshake(
            serverName: host, version: "TLSv1.2",
            certificate: ServerCertificate(
                subject: host, issuer: "ca", notBefore: nil, notAfter: nil, sha256: "00", chainSize: nil))
        named.unseen = UnseenTraffic(reason: .tls, serverName: host)
        var expected = named
        if !isKept {
            expected.handshake = TLSHandshake(version: "TLSv1.2")
            expected.unseen = UnseenTraffic(reason: .tls)
        }
        pipeline.record(.connection(named))
        pipeline.record(.connection(record))
        #expect(sink.events == [.connection(expected), .connection(record)])
    }

    @Test(
        "A host that is left out leaves no lookup, and neither does a pause",
        arguments: [("api.example", true), ("API.example.", true), ("ads.example", false), ("port.example", true)])
    func lookups(name: String, isKept: Bool) {
        let sink = RecordingSink()
        let hosts = HostFilter(include: ["api.example", "port.example:8443"])
        let pipeline = TrafficPipeline(.init(hosts: hosts), to: sink)
        func lookup(at moment: Int64) -> TrafficEvent {
            .lookup(
                LookupRecord(
                    process: ProcessIdentity(pid: 1, name: "app"), name: name, source: .libc,
                    startedAt: Timestamp(nanoseconds: moment)))
        }
        pipeline.record(lookup(at: 10))
        pipeline.pause(at: Timestamp(nanoseconds: 20))
        pipeline.record(lookup(at: 25))
        pipeline.resume(at: Timestamp(nanoseconds: 30))
        pipeline.record(lookup(at: 35))
        #expect(sink.events == (isKept ? [lookup(at: 10), lookup(at: 35)] : []))
    }

    @Test("An exchange that begins in a pause is left out, whenever its events come; one that began before continues")
    func pause() {
        func request(_ id: Int64, at moment: Int64) -> TrafficEvent {
            var request = makeRequest(id)
            request.startedAt = Timestamp(nanoseconds: moment)
            return .request(request)
        }
        let sink = RecordingSink()
        let pipeline = TrafficPipeline(to: sink)
        pipeline.record(request(1, at: 5))
        pipeline.pause(at: Timestamp(nanoseconds: 10))
        #expect(pipeline.isPaused)
        pipeline.record(request(2, at: 10))
        pipeline.record(request(1, at: 5))
        pipeline.record(.end(makeEnd(1)))
        #expect(sink.events.count == 3)
        pipeline.resume(at: Timestamp(nanoseconds: 20))
        #expect(!pipeline.isPaused)
        pipeline.record(request(2, at: 10))
        pipeline.record(.response(makeResponse(2)))
        pipeline.record(.end(makeEnd(2)))
        pipeline.record(request(3, at: 19))
        pipeline.record(.end(makeEnd(3)))
        #expect(sink.events.count == 3)
        #expect(pipeline.hiddenCount == 0)
        pipeline.record(request(4, at: 20))
        #expect(sink.events.count == 4)
    }

    @Test("Sampling marks rows and passes every exchange on, the same way for each of its events")
    func sampling() {
        let sink = RecordingSink()
        let pipeline = TrafficPipeline(TrafficPipeline.Rules(sampler: Sampler(oneIn: 10)), to: sink)
        for id in Int64(1)...10_000 { pipeline.record(.request(makeRequest(id))) }
        for id in Int64(1)...10_000 { pipeline.record(.request(makeRequest(id))) }
        let kept = sink.events.map { event in
            guard case .request(let request) = event else { return false }
            return request.keepsDetail
        }
        #expect(kept.count == 20_000)
        #expect(kept[..<10_000] == kept[10_000...])
        #expect((900...1_100).contains(kept[..<10_000].count { $0 }))
    }

    @Test(
        "Host patterns",
        arguments: [
            ("api.example.com", true), ("API.Example.com.", true), ("example.com", false),
            ("a.b.wild.org", true), ("wild.org", false), ("notwild.org", false), ("bad.wild.org", false),
        ])
    func hosts(host: String, isAllowed: Bool) {
        let filter = HostFilter(include: ["api.example.com", "*.WILD.org"], exclude: ["bad.wild.org"])
        #expect(filter.allows(host, port: 443) == isAllowed)
        #expect(HostFilter.everything.allows(host, port: 443))
        #expect(!HostFilter(exclude: ["*"]).allows(host, port: 443))
    }

    @Test(
        "Host patterns with a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8_080, true), ("127.0.0.1:8080", "127.0.0.1", 8_081, false),
            ("127.0.0.1:8080", "127.0.0.2", 8_080, false), ("*.example.com:443", "a.example.com", 443, true),
            ("*.example.com:443", "a.example.com", 80, false), ("*:81", "anything", 81, true),
            ("[::1]:81", "[::1]", 81, true), ("[::1]:81", "[::1]", 82, false), ("[::1]", "[::1]", 82, true),
            ("fe80::81", "fe80::81", 82, true),
        ])
    func ports(pattern: String, host: String, port: Int, isAllowed: Bool) {
        #expect(HostFilter(include: [pattern]).allows(host, port: port) == isAllowed)
        #expect(HostFilter(exclude: [pattern]).allows(host, port: port) == !isAllowed)
    }

    @Test("A live feed shows redacted events, and a slow watcher loses the oldest")
    func liveFeed() async {
        let feed = LiveFeed()
        let pipeline = TrafficPipeline(to: RecordingSink(), live: feed)
        pipeline.record(.end(makeEnd(1)))
        let events = feed.events(keepingNewest: 2)
        for id in Int64(2)...5 { pipeline.record(.end(makeEnd(id))) }
        pipeline.record(.end(makeEnd(6, .failed(ExchangeFailure(.libcurl, code: 6, message: "http://u:p@h")))))
        feed.finish()
        var seen: [TrafficEvent] = []
        for await event in events { seen.append(event) }
        #expect(
            seen == [
                .end(makeEnd(5)),
                .end(makeEnd(6, .failed(ExchangeFailure(.libcurl, code: 6, message: "http://(redacted-3-B)@h")))),
            ])
    }

    @Test func theUsersTemplatesWinOverRulesAndOperationsAndTheFirstOverLaterOnes() throws {
        let sink = RecordingSink()
        let given = try ["/shops/{shop}/items/{item}", "/shops/{a}/items/{b}", "/graphql"].map {
            try TemplatePattern($0)
        }
        let pipeline = TrafficPipeline(TrafficPipeline.Rules(templates: URLTemplate(given: given)), to: sink)
        pipeline.record(.request(makeRequest(path: "/shops/acme/items/42")))
        pipeline.record(.request(makeRequest(path: "/graphql", query: "operationName=Feed")))
        pipeline.record(.request(makeRequest(path: "/shops/acme/orders/42")))
        let told = sink.events.map { event -> String in
            guard case .request(let request) = event else { return "" }
            return "\(request.template) \(request.isTemplateGiven)"
        }
        #expect(told == ["/shops/{shop}/items/{item} true", "/graphql true", "/shops/acme/orders/{id} false"])
    }
}
