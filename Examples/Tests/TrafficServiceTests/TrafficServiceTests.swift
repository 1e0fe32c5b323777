#if os(Linux)
    import Foundation
    import Logging
    import ServiceLifecycle
    import Testing
    import Wireweight
    import WireweightServer

    @Suite("The traffic's service", .serialized, .timeLimit(.minutes(2)))
    struct TrafficServiceTests {
        @Test("the file and the metrics have every byte that the origin saw, under the labels of the export")
        func everyByte() async throws {
            let group = try MeteredGroup()
            let traffic = try group.service()
            let address = group.origin.address
            try await group.run(
                traffic,
                Work {
                    for id in 1...3 { try await MeteredGroup.get("\(address)/users/\(id)") }
                    try await MeteredGroup.get("\(address)/feed")
                })

            let (up, down) = (Int64(group.origin.receivedBytes), Int64(group.origin.sentBytes))
            #expect(up > 0 && down > 0)
            let totals = try group.stored(by: traffic)
            #expect(totals.map(\.requests).sorted() == [1, 3])
            #expect(totals.map(\.up.total.bytes).reduce(0, +) == up)
            #expect(totals.map(\.down.total.bytes).reduce(0, +) == down)

            let metrics = group.metrics
            #expect(metrics.counterTotal(label: "wireweight_request_bytes") == up)
            #expect(metrics.counterTotal(label: "wireweight_response_bytes") == down)
            #expect(metrics.counterTotal(label: "wireweight_request_captured_bytes") == up)
            #expect(metrics.counterTotal(label: "wireweight_failures") == 0)
            let users = [
                ("method", "GET"), ("host", group.origin.authority), ("template", "/users/{id}"),
                ("traffic", "called"),
            ]
            #expect(try metrics.expectCounter("wireweight_requests", users).totalValue == 3)
            #expect(try metrics.expectCounter("wireweight_responses", users).totalValue == 3)
            #expect(try metrics.expectCounter("wireweight_response_bytes", users + [("part", "body")]).totalValue == 15)
            #expect(try metrics.expectTimer("wireweight_duration_seconds", users).values.count == 3)
        }

        @Test("metrics are there while the service runs")
        func whileRunning() async throws {
            let group = try MeteredGroup()
            let traffic = try group.service { $0.interval = .milliseconds(5) }
            let (address, metrics) = (group.origin.address, group.metrics)
            try await group.run(
                traffic,
                Work {
                    for count in Int64(1)...3 {
                        try await MeteredGroup.get("\(address)/feed")
                        while metrics.counterTotal(label: "wireweight_requests") < count {
                            try await Task.sleep(for: .milliseconds(5))
                        }
                    }
                })
            #expect(metrics.counterTotal(label: "wireweight_requests") == 3)
            #expect(try group.stored(by: traffic).map(\.requests) == [3])
        }

        @Test("what another service requests during its shutdown is recorded")
        func shutdown() async throws {
            let group = try MeteredGroup()
            let traffic = try group.service()
            let address = group.origin.address
            try await group.run(
                traffic,
                Work {
                    try? await gracefulShutdown()
                    try await MeteredGroup.get("\(address)/goodbye")
                },
                Work {})
            #expect(try group.stored(by: traffic).map(\.key.template) == ["/goodbye"])
            #expect(group.metrics.counterTotal(label: "wireweight_requests") == 1)
        }

        @Test("nothing is lost if another service fails and the group is cancelled")
        func cancelled() async throws {
            struct Failure: Error {}
            let group = try MeteredGroup()
            let traffic = try group.service()
            let address = group.origin.address
            await #expect(throws: Failure.self) {
                try await group.run(
                    traffic,
                    Work {
                        try await MeteredGroup.get("\(address)/feed")
                        throw Failure()
                    })
            }
            #expect(try group.stored(by: traffic).map(\.requests) == [1])
            // Metering has ended: another monitor can start.
            try TrafficMonitor.start(.init(store: group.folder.appending(path: "next.db").path)).stop()
        }

        @Test("APIs beyond the limit are counted as 'other', and the sum stays whole")
        func bounded() async throws {
            let group = try MeteredGroup()
            let traffic = try group.service { $0.mostLabelledAPIs = 2 }
            let address = group.origin.address
            try await group.run(
                traffic,
                Work { for path in ["a", "b", "c", "d", "e"] { try await MeteredGroup.get("\(address)/\(path)") } })
            let metrics = group.metrics
            #expect(metrics.counters(label: "wireweight_requests").count == 3)
            let other = [("method", "other"), ("host", "other"), ("template", "other"), ("traffic", "called")]
            #expect(try metrics.expectCounter("wireweight_requests", other).totalValue == 3)
            #expect(metrics.counterTotal(label: "wireweight_requests") == 5)
            #expect(metrics.counterTotal(label: "wireweight_request_bytes") == Int64(group.origin.receivedBytes))
        }

        @Test("it logs where it stores, what the self-test says, and at the end the sums")
        func log() async throws {
            let group = try MeteredGroup()
            let traffic = try group.service { $0.selfTests = true }
            let (address, log) = (group.origin.address, group.log)
            try await group.run(
                traffic,
                Work {
                    try await MeteredGroup.get("\(address)/feed")
                    while !log.entries.contains(where: { "\($0.message)".hasPrefix("the self-test passed") }) {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                })
            let entries = log.entries
            #expect(entries.first?.message == "metering starts")
            #expect(entries.first?.metadata == ["store": "\(traffic.monitor.configuration.store)"])
            #expect(entries.last?.message == "metering has ended")
            #expect(entries.last?.metadata["requests"] == "1")
            #expect(entries.last?.metadata["up_bytes"] == "\(group.origin.receivedBytes)")
            #expect(entries.last?.metadata["down_bytes"] == "\(group.origin.sentBytes)")
            #expect(entries.last?.metadata["lost_events"] == "0")
            #expect(entries.allSatisfy { $0.level == .info })
        }

        @Test("it logs that the file cannot be written, and that it can be again; nothing is lost meanwhile")
        func lockedFile() async throws {
            let group = try MeteredGroup()
            let traffic = try group.service { $0.interval = .milliseconds(20) }
            let (address, log) = (group.origin.address, group.log)
            let store = traffic.monitor.configuration.store
            try await group.run(
                traffic,
                Work {
                    let lock = try FileLock(store)
                    try await MeteredGroup.get("\(address)/feed")
                    while !log.entries.contains(where: { $0.level == .error }) {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    lock.release()
                    while !log.entries.contains(where: { $0.level == .notice }) {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                })
            let error = try #require(log.entries.first { $0.level == .error })
            #expect("\(error.message)".hasPrefix("the traffic's file cannot be written: "))
            #expect(error.metadata["code"] == "cannotStore")
            #expect(log.entries.first { $0.level == .notice }?.message == "the traffic's file is written again")
            #expect(try group.stored(by: traffic).map(\.requests) == [1])
        }
    }

    /// Another process that writes to a store, and keeps others from it.
    private struct FileLock {
        private let process = Process()
        private let input = Pipe()

        init(_ store: String) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "python3", "-c",
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
                    + "c.execute('BEGIN IMMEDIATE'); print('.', end='', flush=True); sys.stdin.read()", store,
            ]
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try #require(output.fileHandleForReading.readData(ofLength: 1).count == 1)
        }

        func release() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
#endif
