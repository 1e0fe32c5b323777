import Foundation
import Testing
import TrafficModel
import TrafficStore

/// What `verify` says of a file and a capture that are made by hand, and how it ends.
@Suite("verify", .enabled(if: Built.isComplete && Built.has("tshark"), "needs 'make build' and tshark"))
struct VerifyTests {
    /// A connection of 100 bytes up and 2,000 down, as a program's own kernel counts it.
    private static func makeStore(_ folder: URL, sent: Int64 = 100, received: Int64 = 2_000, port: Int = 40_000) throws
        -> String
    {
        let path = folder.appendingPathComponent("traffic-\(sent)-\(received)-\(port).db").path
        let writer = BatchWriter(store: try StoreWriter.open(path))
        let begin = Timestamp(nanoseconds: Capture.seconds * 1_000_000_000 + 4_000_000)
        writer.record(
            .connection(
                ConnectionRecord(
                    connection: ConnectionID(1), process: ProcessIdentity(pid: 7, name: "app"),
                    localAddress: "10.0.0.1:\(port)", remoteAddress: "10.0.0.2:80", openedAt: begin,
                    closedAt: Timestamp(nanoseconds: begin.nanoseconds + 1_000_000_000),
                    payloadUp: ByteCount(sent), payloadDown: ByteCount(received))))
        try writer.finish()
        return path
    }

    private func verify(_ store: String, _ capture: URL, _ more: String..., path: String? = nil) throws -> Ended {
        try launch(
            [Built.command, "verify", store, "--capture", capture.path] + more,
            environment: path.map { ["PATH": $0] } ?? [:])
    }

    @Test("ends with 0 where all agrees, in both formats of captures, and says what the capture lost")
    func agrees() throws {
        try withFolder { folder in
            let store = try Self.makeStore(folder)
            for isBigEndian in [false, true] {
                let file = folder.appendingPathComponent("a.pcapng")
                try Capture(isBigEndian: isBigEndian).bytes(dropped: 3).write(to: file)
                let ended = try verify(store, file)
                #expect(ended.status == 0, "\(ended)")
                #expect(ended.outputText.contains("the metered connection agrees to the byte"), "\(ended)")
                #expect(ended.outputText.contains("it lost 3 packets"), "\(ended)")
                let json = try verify(store, file, "--format", "json")
                let object = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
                let capture = try #require(object["capture"] as? [String: Any])
                #expect(object["agrees"] as? Bool == true)
                #expect(capture["interfaces"] as? [String] == ["test0"])
                #expect(capture["dropped"] as? Int == 3)
                #expect(capture["segments"] as? Int == 7)
            }
        }
    }

    @Test("ends with 1 where a byte differs, or the connection is not there")
    func differs() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("a.pcapng")
            try Capture().bytes().write(to: file)
            let differing = try verify(try Self.makeStore(folder, received: 1_999), file, "--format", "ndjson")
            #expect(differing.status == 1, "\(differing)")
            let line = try #require(try JSONSerialization.jsonObject(with: differing.output) as? [String: Any])
            #expect(line["verdict"] as? String == "differs")
            #expect(line["difference"] as? [String: Int] == ["up": 0, "down": 1])
            let elsewhere = try verify(try Self.makeStore(folder, port: 50_000), file)
            #expect(elsewhere.status == 1, "\(elsewhere)")
            #expect(elsewhere.outputText.contains("on test0: capture on the interface that leads to 10.0.0.2:80"))
        }
    }

    @Test("ends with 65 and the reason where the capture is cut, or is none")
    func badCaptures() throws {
        try withFolder { folder in
            let store = try Self.makeStore(folder)
            let file = folder.appendingPathComponent("a.pcapng")
            let whole = Capture().bytes()
            for count in [3, whole.count - 10, whole.count - 60, whole.count - 1_000] {
                try whole.prefix(count).write(to: file)
                let ended = try verify(store, file)
                #expect(ended.status == 65, "\(count): \(ended)")
                #expect(ended.outputText.isEmpty)
                #expect(ended.errorText.hasPrefix("error: "))
            }
            for text in ["", "hello, this is no capture\n", "-----BEGIN CERTIFICATE-----\n"] {
                try Data(text.utf8).write(to: file)
                let ended = try verify(store, file)
                #expect(ended.status == 65)
                #expect(ended.errorText.contains("is not a packet capture in the format pcapng or pcap"))
            }
            #expect(try verify(store, folder).status == 65)
            #expect(try verify(store, folder.appendingPathComponent("none")).errorText.contains("there is no file"))
        }
    }

    @Test("a file without connections says so")
    func noConnections() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("a.pcapng")
            try Capture().bytes().write(to: file)
            let path = folder.appendingPathComponent("empty.db").path
            try BatchWriter(store: try StoreWriter.open(path)).finish()
            let ended = try verify(path, file)
            #expect(ended.status == 65)
            #expect(ended.errorText.contains("has no connections: nothing was metered into it"))
            let range = try verify(try Self.makeStore(folder), file, "--until", "2020-01-01")
            #expect(range.status == 65)
            #expect(range.errorText.contains("no connections in that range"))
        }
    }

    @Test("without tshark it says what to install")
    func noTshark() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("a.pcapng")
            try Capture().bytes().write(to: file)
            let ended = try verify(try Self.makeStore(folder), file, path: folder.path)
            #expect(ended.status == 69)
            #expect(ended.errorText.contains("'apt-get install tshark'"))
        }
    }
}

/// A capture of one connection in the bytes of pcapng, as IPv4 without a link layer.
private struct Capture {
    static let seconds: Int64 = 1_800_000_000
    var isBigEndian = false

    private func number<Number: FixedWidthInteger>(_ value: Number) -> Data {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Data($0) }
    }

    private func block(_ kind: UInt32, _ body: Data) -> Data {
        let padding = Data(count: (4 - body.count % 4) % 4)
        let length = number(UInt32(12 + body.count + padding.count))
        return number(kind) + length + body + padding + length
    }

    private func option(_ code: UInt16, _ value: Data) -> Data {
        number(code) + number(UInt16(value.count)) + value + Data(count: (4 - value.count % 4) % 4)
    }

    func bytes(dropped: UInt64 = 0) -> Data {
        let end = option(0, Data())
        var file = block(
            0x0A0D_0D0A,
            number(UInt32(0x1A2B_3C4D)) + number(UInt16(1)) + number(UInt16(0)) + number(UInt64.max))
        // LINKTYPE_RAW.
        file += block(
            1, number(UInt16(101)) + number(UInt16(0)) + number(UInt32(0)) + option(2, Data("test0".utf8)) + end)
        let (ack, synAck, finAck): (UInt8, UInt8, UInt8) = (0x10, 0x12, 0x11)
        file += packet(0, isUp: true, 1_000, 0, 0, 0x02)
        file += packet(1, isUp: false, 5_000, 1_001, 0, synAck)
        file += packet(2, isUp: true, 1_001, 5_001, 100, ack)
        file += packet(3, isUp: false, 5_001, 1_101, 2_000, ack)
        file += packet(4, isUp: true, 1_101, 7_001, 0, finAck)
        file += packet(5, isUp: false, 7_001, 1_102, 0, finAck)
        file += packet(6, isUp: true, 1_102, 7_002, 0, ack)
        return file + block(5, number(UInt32(0)) + Data(count: 8) + option(5, number(dropped)) + end)
    }

    private func packet(
        _ milliseconds: UInt64, isUp: Bool, _ sequence: UInt32, _ acknowledgment: UInt32, _ count: Int, _ flags: UInt8
    ) -> Data {
        func network<Number: FixedWidthInteger>(_ value: Number) -> Data {
            withUnsafeBytes(of: value.bigEndian) { Data($0) }
        }
        let ends: [[UInt8]] = isUp ? [[10, 0, 0, 1], [10, 0, 0, 2]] : [[10, 0, 0, 2], [10, 0, 0, 1]]
        let ports: [UInt16] = isUp ? [40_000, 80] : [80, 40_000]
        var bytes = Data([0x45, 0]) + network(UInt16(40 + count)) + Data([0, 0, 0, 0, 64, 6, 0, 0])
        bytes += Data(ends[0] + ends[1]) + network(ports[0]) + network(ports[1])
        bytes += network(sequence) + network(acknowledgment) + Data([0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0])
        bytes += Data(repeating: 65, count: count)
        let time = UInt64(Self.seconds) * 1_000_000 + milliseconds * 1_000
        let head =
            number(UInt32(0)) + number(UInt32(truncatingIfNeeded: time >> 32))
            + number(UInt32(truncatingIfNeeded: time)) + number(UInt32(bytes.count)) + number(UInt32(bytes.count))
        return block(6, head + bytes)
    }
}
