#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Locks
    import TestSupport
    import Testing
    import TrafficModel
    import Wireweight
    import WireweightTesting

    /// Servers and streams that lie, and very many requests, under a monitor: no crash, no hang, honest rows.
    @Suite(.serialized, .oneAtATime, .timeLimit(.minutes(3)))
    struct MonitorHostileTests {
        private let file = TemporaryFile()

        /// What the program got: the status, the bytes, the error's code.
        private typealias Got = [Int]

        private func get(_ request: URLRequest, in session: URLSession, cancelAfter: Double? = nil) async -> Got {
            await withCheckedContinuation { continuation in
                let task = session.dataTask(with: request) { body, response, error in
                    continuation.resume(returning: [
                        (response as? HTTPURLResponse)?.statusCode ?? 0, body?.count ?? 0,
                        (error as NSError?)?.code ?? 0,
                    ])
                }
                task.resume()
                guard let cancelAfter else { return }
                DispatchQueue.global().asyncAfter(deadline: .now() + cancelAfter) { task.cancel() }
            }
        }

        private func rows(of monitor: TrafficMonitor) throws -> [StoredExchange] {
            var rows: [StoredExchange] = []
            try monitor.reading().forEachExchange(matching: .init(), order: .oldestFirst, after: nil) {
                rows.append($0)
                return true
            }
            return rows
        }

        /// One request on a connection of its own, and what the origin logged of it.
        private func one(
            _ script: @escaping @Sendable (OriginRequest) -> Script, cancelAfter: Double? = nil,
            _ change: (inout URLRequest) -> Void = { _ in }
        ) async throws -> (Got, OriginExchange) {
            let origin = LoopbackOrigin(handler: script)
            try origin.start()
            defer { origin.stop() }
            var request = URLRequest(url: try #require(URL(string: origin.address)))
            change(&request)
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            let got = await get(request, in: session, cancelAfter: cancelAfter)
            _ = await eventually { origin.waitUntilIdle(seconds: 0.01) }
            return (got, try #require(origin.exchanges.first))
        }

        @Test(arguments: HostileResponse.all)
        func aResponseThatContradictsItselfIsWeighedAsItCame(hostile: HostileResponse) async throws {
            let (plain, _) = try await one({ _ in hostile.script }) { $0.httpMethod = hostile.method }
            let monitor = try TrafficMonitor.start(.init(store: file.path))
            defer { monitor.stop() }
            let (metered, truth) = try await one({ _ in hostile.script }) { $0.httpMethod = hostile.method }
            #expect(metered == plain)
            await monitor.flush()
            let rows = try rows(of: monitor)
            #expect(rows.count == 1)
            let row = try #require(rows.first)
            #expect(row.request.size == truth.request.wireSize)
            let size = try #require(row.response?.size)
            #expect(row.end?.outcome != .abandoned)
            #expect(size.startLine == .captured(truth.response.startLine))
            #expect(size.body.bytes.bytes <= Int64(truth.response.body))
            #expect(size.known.bytes <= Int64(truth.response.total))
            if hostile.isTakenWhole { #expect(size == truth.response.wireSize) }
        }

        @Test(arguments: HostileStream.Kind.allCases)
        func aStreamThatLiesIsWeighedAsItWasSent(kind: HostileStream.Kind) async throws {
            let monitor = try TrafficMonitor.start(.init(store: file.path))
            defer { monitor.stop() }
            let (_, truth) = try await one(
                { _ in .respond(body: .text("thanks")) }, cancelAfter: kind == .neverEnds ? 1 : nil
            ) {
                $0.httpMethod = "POST"
                $0.setValue("\(HostileStream.namedLength)", forHTTPHeaderField: "Content-Length")
                $0.httpBodyStream = HostileStream(kind)
            }
            await monitor.flush()
            let row = try #require(try rows(of: monitor).first)
            #expect(row.request.size == truth.request.wireSize)
            #expect(row.end?.outcome == (kind == .neverEnds ? .cancelled : .completed))
        }

        @Test func stoppedWhileHundredsRunItLeavesThemAbandonedAndAnswered() async throws {
            let released = Mutex(false)
            let origin = LoopbackOrigin { _ in
                while !released.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                return .respond(body: .text("late"))
            }
            try origin.start()
            defer { origin.stop() }
            let address = origin.address
            let monitor = try TrafficMonitor.start(.init(store: file.path))
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = 300
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            let running = Task {
                await withTaskGroup(of: Got.self) { group in
                    for number in 0..<300 {
                        group.addTask {
                            guard let url = URL(string: "\(address)/\(number)") else { return [] }
                            return await get(URLRequest(url: url), in: session)
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(await eventually { origin.exchanges.count { $0.parsed != nil } == 300 })
            // libcurl shows what it has sent a moment later.
            #expect(
                await eventually {
                    let sizes = (try? self.rows(of: monitor))?.map(\.request.size.known.bytes)
                    return sizes?.reduce(0, +) == Int64(origin.receivedBytes)
                })
            monitor.stop()
            let rows = try rows(of: monitor)
            #expect(rows.count == 300)
            #expect(rows.allSatisfy { $0.end?.outcome == .abandoned && $0.response == nil })
            #expect(rows.reduce(0) { $0 + $1.request.size.known.bytes } == Int64(origin.receivedBytes))
            released.withLock { $0 = true }
            #expect(await running.value.count { $0 == [200, 4, 0] } == 300)
            #expect(try self.rows(of: monitor) == rows)
        }

        @Test func aThousandRequestsAtOnceHaveARowEach() async throws {
            let origin = LoopbackOrigin { .respond(body: .text($0.target)) }
            try origin.start()
            defer { origin.stop() }
            let address = origin.address
            let monitor = try TrafficMonitor.start(.init(store: file.path))
            defer { monitor.stop() }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpMaximumConnectionsPerHost = 50
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            let answers = await withTaskGroup(of: Got.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        guard let url = URL(string: "\(address)/\(number)") else { return [] }
                        return await get(URLRequest(url: url), in: session)
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0[0] == 200 } == 1_000)
            await monitor.flush()
            let rows = try rows(of: monitor)
            #expect(Set(rows.map(\.request.path)) == Set((0..<1_000).map { "/\($0)" }))
            #expect(rows.count == 1_000)
            #expect(rows.allSatisfy { $0.end?.outcome == .completed && $0.response?.status == 200 })
            #expect(rows.reduce(0) { $0 + $1.request.size.known.bytes } == Int64(origin.receivedBytes))
            #expect(rows.reduce(0) { $0 + ($1.response?.size.known.bytes ?? 0) } == Int64(origin.sentBytes))
        }
    }
#endif
