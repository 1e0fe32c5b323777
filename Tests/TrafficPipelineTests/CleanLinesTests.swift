import TestSupport
import Testing
import TrafficModel
import URLTemplates
import WireweightTesting

@testable import TrafficPipeline

/// The memories of what holds no secret: they change no result, and hold no secret.
@Suite struct CleanLinesTests {
    private static let secret = "Zq7Xw9Zq7Xw9"

    @Test("The same value is replaced under a secret name, after it was seen under a name that is none")
    func otherName() {
        var known = CleanLines()
        let redactor = Redactor()
        func redacted(_ text: String) -> String {
            var fields = section(text)
            redactor.redact(&fields, &known)
            return fields.text
        }
        for _ in 0..<2 {
            #expect(redacted("X-Page: abc123\r\n") == "X-Page: abc123\r\n")
            #expect(redacted("X-Token: abc123\r\n") == "X-Token: [redacted 6 B]\r\n")
            #expect(redacted("Cookie: abc=123\r\n") == "Cookie: abc=[redacted 3 B]\r\n")
            #expect(redacted("X-Page: abc123\r\n abc=123\r\n") == "X-Page: abc123\r\n abc=123\r\n")
            #expect(redacted("X-Page: abc123\r\n token=123\r\n") == "X-Page: [redacted 18 B]\r\n")
        }
    }

    @Test("Pipelines with different rules do not know each other's lines and targets")
    func otherRules() throws {
        let sinks = [RecordingSink(), RecordingSink()]
        let rules = [
            TrafficPipeline.Rules(),
            TrafficPipeline.Rules(
                templates: URLTemplate(given: [try TemplatePattern("/users/{user}")]),
                redactor: Redactor(names: SecretNames(extra: ["page"]))),
        ]
        let pipelines = zip(rules, sinks).map { TrafficPipeline($0, to: $1) }
        for id in Int64(1)...2 {
            for pipeline in pipelines {
                pipeline.record(.request(makeRequest(id, query: "page=7", fields: "X-Page: 7\r\n")))
            }
        }
        for (sink, expected) in zip(
            sinks,
            [
                ("page=7", "X-Page: 7\r\n", "/users/{id}"),
                ("page=(redacted-1-B)", "X-Page: [redacted 1 B]\r\n", "/users/{user}"),
            ])
        {
            #expect(sink.events.count == 2)
            for case .request(let request) in sink.events {
                #expect(request.query == expected.0)
                #expect(request.fields.text == expected.1)
                #expect(request.template == expected.2)
            }
        }
    }

    @Test("With a memory every section comes out as without one, and the memory has no secret", arguments: 0..<20)
    func sameResults(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let redactor = Redactor()
        // Few places, so that lines replace each other.
        var known = CleanLines(places: [1, 8, 128].randomElement(using: &random) ?? 1)
        let names = [
            "Accept", "X-Api-Key", "Cookie", "Via", "x-request-id", "Location", "Authorization", ":path", " A", "",
        ]
        let values = [
            "a", Self.secret, "a=\(Self.secret)", "/p?token=\(Self.secret)", "/p?page=1", "max-age=60",
            "Bearer \(Self.secret)",
            "ghp_\(Self.secret)\(Self.secret)\(Self.secret)", "a,\r\n b", "a\r\n token=\(Self.secret)",
            String(repeating: "long ", count: 60),
        ]
        for _ in 0..<300 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let colon = Int.random(in: 0..<20, using: &random) == 0 ? " " : ": "
                text += names.randomElement(using: &random)! + colon + values.randomElement(using: &random)!
                text += ["\r\n", "\n", "\r\n", ""].randomElement(using: &random)!
            }
            var fields = section(text)
            redactor.redact(&fields, &known)
            #expect(fields == redactor.redacted(section(text)), "\(text.debugDescription)")
        }
        let width = CleanLines.longest + 2
        for place in stride(from: 0, to: known.bytes.count, by: width) {
            let count = Int(known.bytes[place]) | Int(known.bytes[place + 1]) << 8
            let line = FieldSection(bytes: Array(known.bytes[(place + 2)..<(place + 2 + count)]))
            #expect(redactor.redacted(line) == line)
        }
    }

    @Test("A place holds one line, byte for byte, and a longer line than fits is not remembered")
    func places() {
        var known = CleanLines(places: 1)
        let lines = ["X: 1\r\n", "X: 2\r\n", "X-Longer: 12345678\r\n", "X-Longer: 12345679\r\n", "", "X"]
        func with<Result>(_ line: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            Array(line.utf8).withUnsafeBytes(body)
        }
        for line in lines.dropLast(2) {
            #expect(with(line, known.place) == 0)
            #expect(!with(line) { known.holds($0, at: 0) })
            with(line) { known.keep($0, at: 0) }
            for other in lines where !other.isEmpty {
                #expect(with(other) { known.holds($0, at: 0) } == (other == line))
            }
        }
        #expect(with("", known.place) == nil)
        #expect(with(String(repeating: "x", count: CleanLines.longest), known.place) == 0)
        #expect(with(String(repeating: "x", count: CleanLines.longest + 1), known.place) == nil)
        #expect(with("X: 1\r\n", CleanLines(places: 0).place) == nil)
    }
}

/// Requests' targets that come again and again.
@Suite struct CleanTargetsTests {
    @Test("A target that comes again gets what it got the first time, and one like it its own", arguments: 0..<10)
    func again(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let sink = RecordingSink()
        let pipeline = TrafficPipeline(to: sink)
        let paths = [
            "/users/42", "/users/43", "/token/abcdef012345abcx", "/a@b:443", "h:443", "u@h:443", "*", "", "/graphql",
        ]
        let queries = [nil, "", "page=1", "page=2", "key=1", "operationName=Feed"]
        for id in Int64(1)...300 {
            var request = makeRequest(
                id, host: ["h", "u:p@h"].randomElement(using: &random)!, path: paths.randomElement(using: &random)!,
                query: queries.randomElement(using: &random)!)
            request.method = ["GET", "CONNECT"].randomElement(using: &random)!
            pipeline.record(.request(request))
            request.template = URLTemplate().template(of: request.path, query: request.query, method: request.method)
            Redactor().redact(&request)
            #expect(sink.events.last == .request(request))
        }
    }
}

extension CleanTargetsTests {
    @Test("A target that is equivalent in Unicode to a known one, but has other bytes, is not known")
    func equivalent() {
        // The Kelvin sign is equivalent to a `K`. Some of these pairs have one place.
        for number in 0..<2_000 {
            var known = CleanTargets()
            let clean = makeRequest(path: "/\(number)", query: "\(number)&api\u{212A}ey=abc")
            known.keep(clean, template: clean.template, of: clean)
            var secret = makeRequest(path: "/\(number)", query: "\(number)&apiKey=abc")
            #expect(secret.query == clean.query)
            #expect(!known.apply(to: &secret))
            var same = clean
            #expect(known.apply(to: &same))
        }
    }
}

/// Exchanges that come at once, instead of event by event.
@Suite struct WholeExchangeTests {
    @Test("An exchange at once gives the events that its records give one by one", arguments: [true, false])
    func sameEvents(hasResponse: Bool) {
        let failure = ExchangeFailure(.libcurl, code: 7, message: "https://u:p@h/ refused")
        var exchange = Exchange(
            request: makeRequest(path: "/users/7", query: "token=7", fields: "Cookie: a=b\r\nAccept: */*\r\n"),
            response: hasResponse ? makeResponse(fields: "Set-Cookie: a=b\r\nServer: x\r\n") : nil,
            end: makeEnd(1, .failed(failure)))
        let (one, all) = (RecordingSink(), RecordingSink())
        let pipeline = TrafficPipeline(to: one)
        exchange.forEachEvent(pipeline.record)
        #expect(one.events.count == (hasResponse ? 3 : 2))
        TrafficPipeline(to: all).record(&exchange)
        #expect(all.events == one.events)
    }

    @Test("An exchange at once is left out as its events are: by its host, in a pause, and after its request was")
    func leftOut() {
        let sink = RecordingSink()
        let pipeline = TrafficPipeline(TrafficPipeline.Rules(hosts: HostFilter(exclude: ["ads.example"])), to: sink)
        var hidden = Exchange(request: makeRequest(1, host: "ads.example"), response: makeResponse(1), end: makeEnd(1))
        pipeline.record(&hidden)
        pipeline.record(.request(makeRequest(2, host: "ads.example")))
        hidden = Exchange(request: makeRequest(2, host: "ads.example"), end: makeEnd(2))
        pipeline.record(&hidden)
        #expect(sink.events.isEmpty)
        #expect(pipeline.hiddenCount == 0)
        pipeline.pause(at: Timestamp(nanoseconds: 0))
        var paused = Exchange(request: makeRequest(3), end: makeEnd(3))
        pipeline.record(&paused)
        #expect(sink.events.isEmpty)
        pipeline.resume(at: Timestamp(nanoseconds: 1))
        var seen = Exchange(request: makeRequest(4), end: makeEnd(4))
        pipeline.record(&seen)
        #expect(sink.events.count == 2)
    }

    @Test("A watcher of the live feed sees the events of an exchange that came at once")
    func live() async {
        let feed = LiveFeed()
        let pipeline = TrafficPipeline(to: RecordingSink(), live: feed)
        var seen = feed.events().makeAsyncIterator()
        var exchange = Exchange(
            request: makeRequest(fields: "Cookie: a=b\r\n"), response: makeResponse(), end: makeEnd())
        pipeline.record(&exchange)
        feed.finish()
        guard case .request(let request)? = await seen.next() else {
            Issue.record("no request")
            return
        }
        #expect(request.fields.text == "Cookie: a=[redacted 1 B]\r\n")
        #expect(await seen.next() == .response(makeResponse()))
        #expect(await seen.next() == .end(makeEnd()))
    }

    @Test("A tally adds up the same, at once or event by event, and forgets an exchange that was running")
    func tally() {
        let (one, all) = (TrafficTally(), TrafficTally())
        for id in Int64(1)...400 {
            var request = makeRequest(id, host: "h\(id % 3)", path: "/word\(id)/b")
            request.template = "/word\(id % 50)/b"
            request.isTemplateGiven = id % 7 == 0
            request.size.fields = .captured(Int(id))
            var exchange = Exchange(request: request, response: id % 5 == 0 ? nil : makeResponse(id), end: makeEnd(id))
            exchange.forEachEvent(one.record)
            if id % 4 == 0 { all.record(.request(request)) }
            all.record(&exchange)
        }
        #expect(!all.isRunning)
        #expect(all.progress[.called]?.up == one.progress[.called]?.up)
        #expect(all.progress[.called]?.exchanges == 400)
        func sums(_ tally: TrafficTally) -> [TrafficTotal.Key: TrafficSums] {
            Dictionary(uniqueKeysWithValues: tally.totals.map { ($0.key, $0.sums) })
        }
        #expect(sums(all) == sums(one))
        #expect(sums(all).values.reduce(0) { $0 + $1.requests } == 400)
        // The words of each host have become a parameter.
        #expect(sums(all).keys.contains { $0.template?.contains("{") == true })
    }
}
