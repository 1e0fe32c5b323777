import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

/// What an exchange says of what followed its 101.
@Suite struct ExchangeUpgradeTests {
    private static func exchange(status: Int) -> StoredExchange {
        var exchange = sampleExchange
        exchange.response?.status = status
        exchange.connection = StoredConnection.ID(5)
        return exchange
    }

    private static func connection(_ parts: [ConnectionPart: ByteFlow], _ webSocket: WebSocketLoad?)
        -> StoredConnection
    {
        StoredConnection(
            ConnectionRecord(
                connection: ConnectionID(5), process: ProcessIdentity(pid: 7, name: "app"), localAddress: ":1",
                remoteAddress: "b:2", openedAt: Timestamp(nanoseconds: 0), payloadUp: 5_000, payloadDown: 5_000,
                load: ConnectionLoad(exchanges: 1, parts: parts, webSocket: webSocket)))
    }

    private static let webSocket = connection(
        [
            .webSocket: ByteFlow(up: 18, down: 8), .webSocketPayload: ByteFlow(up: 80, down: 1_000),
            .upgraded: ByteFlow(down: 23),
        ],
        WebSocketLoad(up: .init(frames: 3, controlFrames: 1, messages: 2), down: .init(frames: 4, messages: 3)))

    @Test("the sheet has bytes, frames and messages, up and down")
    func sheet() {
        let text = ExchangeSheet(Self.exchange(status: 101), TextStyle(width: 80), on: Self.webSocket).text
        let expected = """
            WebSocket after the 101 (bytes)
                                         up       down
              frame headers              18          8
              payload                    80      1,000
              not taken apart             0         23
              total                      98      1,031
              frames                      3          4
                of which control          1          0
              messages                    2          3

            """
        #expect(text.contains("\n" + expected), "\(text)")
    }

    @Test("what was not taken apart is one sum")
    func other() {
        let connection = Self.connection([.upgraded: ByteFlow(up: 30, down: 60)], nil)
        let text = ExchangeSheet(Self.exchange(status: 101), TextStyle(width: 80), on: connection).text
        #expect(text.contains("After the 101 (bytes)"))
        #expect(!text.contains("frame headers") && text.contains("  not taken apart            30         60\n"))
    }

    @Test("the object has the same")
    func json() throws {
        let upgrade = try #require(ExchangeUpgrade(of: Self.exchange(status: 101), on: Self.webSocket))
        let expected = """
            {"bytes":{"up":98,"down":1031},"websocketOverhead":{"up":18,"down":8},\
            "websocketPayload":{"up":80,"down":1000},"upgraded":{"up":0,"down":23},\
            "websocket":{"frames":{"up":3,"down":4},"controlFrames":{"up":1,"down":0},\
            "messages":{"up":2,"down":3}}}
            """
        #expect(upgrade.json.compact == expected)
        let line = ExchangeLine(Self.exchange(status: 101))
        #expect(line.json(on: Self.webSocket).contains("\"websocketPayload\""))
        #expect(line.json(on: nil).contains("\"upgrade\": null"))
    }

    @Test("nothing is said of an exchange that did not leave HTTP, nor by another connection")
    func nothing() {
        #expect(ExchangeUpgrade(of: Self.exchange(status: 200), on: Self.webSocket) == nil)
        #expect(ExchangeUpgrade(of: Self.exchange(status: 101), on: nil) == nil)
        var exchange = Self.exchange(status: 101)
        exchange.connection = StoredConnection.ID(6)
        #expect(ExchangeUpgrade(of: exchange, on: Self.webSocket) == nil)
    }

    @Test("a connection's line and its columns have the counts")
    func line() {
        let line = ConnectionLine(Self.webSocket)
        #expect(line.ndjson.contains(#""websocket":{"frames":{"up":3,"down":4},"controlFrames":{"up":1,"down":0},"#))
        let names = ConnectionLine.csvHeader.dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let cells = line.csv.dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let row = Dictionary(uniqueKeysWithValues: zip(names, cells))
        #expect(row["websocketOverheadUp"] == "18" && row["websocketPayloadDown"] == "1000")
        #expect(row["websocketFramesDown"] == "4" && row["websocketControlFramesUp"] == "1")
        #expect(row["websocketMessagesUp"] == "2" && row["network"] == "")
    }
}
