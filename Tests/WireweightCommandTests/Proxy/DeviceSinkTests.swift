import Dispatch
import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel

@testable import WireweightCommand

@Suite("Devices of a proxy")
struct DeviceSinkTests {
    private final class Kept: ExchangeSink {
        let names = Mutex<[String]>([])
        let reasons = Mutex<[UnseenTraffic.Reason]>([])
        let networks = Mutex<[ConnectionNetwork?]>([])
        let ends = Mutex<[ExchangeEnd]>([])
        let devices = Mutex<[DeviceName]>([])

        func record(_ event: TrafficEvent) {
            if case .device(let device) = event { devices.withLock { $0.append(device) } }
            if case .end(let end) = event { ends.withLock { $0.append(end) } }
            if case .request(let request) = event { names.withLock { $0.append(request.process.name) } }
            guard case .connection(let record) = event else { return }
            names.withLock { $0.append(record.process.name) }
            networks.withLock { $0.append(record.network) }
            if let unseen = record.unseen { reasons.withLock { $0.append(unseen.reason) } }
        }

        func record(_ exchange: inout Exchange) {
            let name = exchange.request.process.name
            names.withLock { $0.append(name) }
        }
    }

    private let proxy = ProcessIdentity(pid: 7, name: "wireweight-proxy")

    private func connection(_ peer: String, _ direction: TrafficDirection) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(1), process: proxy, localAddress: "192.168.1.2:8899", remoteAddress: peer,
            applicationProtocol: "", openedAt: Timestamp(nanoseconds: 0), direction: direction)
    }

    private func exchange(_ number: Int64, _ method: String, _ peer: String) -> Exchange {
        let id = ExchangeID(number)
        return Exchange(
            request: RequestRecord(
                exchange: id, task: id, resendCount: 0, process: proxy, startedAt: Timestamp(nanoseconds: 0),
                method: method, scheme: "http", host: "a.test", port: 80, path: "/", query: nil, httpVersion: "1.1",
                fields: FieldSection(), size: WireSize(), direction: .served),
            response: ResponseRecord(
                exchange: id, firstByteAt: Timestamp(nanoseconds: 1), status: 200, reason: "OK", httpVersion: "1.1",
                fields: FieldSection(), size: WireSize()),
            end: ExchangeEnd(
                exchange: id, endedAt: Timestamp(nanoseconds: 1), outcome: .completed, timings: ExchangeTimings(),
                connection: ConnectionID(number), remoteAddress: peer))
    }

    @Test(
        "what was served is the device's, by its address",
        arguments: [
            ("192.168.1.23:50123", "192.168.1.23"), ("[fe80::1]:50123", "fe80::1"), ("127.0.0.1:5", "this computer"),
            ("[::1]:5", "this computer"), ("[::ffff:127.0.0.1]:5", "this computer"),
            ("[::ffff:192.168.1.23]:5", "192.168.1.23"),
        ])
    func names(peer: String, name: String) {
        let kept = Kept()
        let sink = DeviceSink(kept)
        sink.record(.connection(connection(peer, .served)))
        sink.record(.connection(connection(peer, .called)))
        var exchange = exchange(1, "GET", peer)
        sink.record(&exchange)
        exchange.request.process = proxy
        exchange.request.direction = .called
        sink.record(&exchange)
        // It belongs to no device's connection that the proxy has named.
        sink.finish()
        #expect(kept.names.withLock { $0 } == [name, "wireweight-proxy", name, "wireweight-proxy"])
    }

    @Test("a device is looked up once, and what its first telling User-Agent says is kept; this computer is not")
    func known() {
        let kept = Kept()
        let asked = Mutex<[String]>([])
        let system = DeviceNames.System(
            name: { address in
                asked.withLock { $0.append(address) }
                return address == "192.168.1.23" ? "phone.home." : nil
            }, neighbours: "/dev/null", patience: 60)
        let sink = DeviceSink(kept, system: system)
        for peer in ["192.168.1.23:1", "192.168.1.23:2", "192.168.1.24:1", "127.0.0.1:1"] {
            sink.record(.connection(connection(peer, .served)))
            for agent in ["", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "curl/8"] {
                var exchange = exchange(1, "GET", peer)
                exchange.request.fields = FieldSection(bytes: Array("User-Agent: \(agent)\r\n".utf8))
                sink.record(&exchange)
            }
        }
        sink.record(.connection(connection("192.168.1.25:1", .called)))
        sink.finish()
        #expect(asked.withLock { $0.sorted() } == ["192.168.1.23", "192.168.1.24"])
        let names = kept.devices.withLock { Set($0) }
        #expect(
            names == [
                DeviceName(address: "192.168.1.23", name: "phone.home", source: .lookup),
                DeviceName(address: "192.168.1.23", name: "iPhone", source: .agent),
                DeviceName(address: "192.168.1.24", name: "iPhone", source: .agent),
            ])
        #expect(kept.devices.withLock { $0.count } == 3)
    }

    @Test("a User-Agent of an exchange that is left out says nothing")
    func leftOut() throws {
        let kept = Kept()
        let sink = DeviceSink(kept, keeps: { $0.host == "a.test" })
        for (number, host, agent) in [(Int64(1), "b.test", "Bank/1"), (2, "a.test", "Shop/1")] {
            var exchange = exchange(number, "GET", "192.168.1.23:1")
            exchange.request.host = host
            exchange.request.fields = FieldSection(bytes: Array("User-Agent: \(agent)\r\n".utf8))
            sink.record(&exchange)
        }
        sink.finish()
        #expect(
            kept.devices.withLock { $0 } == [DeviceName(address: "192.168.1.23", name: "Shop", source: .agent)])
    }

    @Test("a device without a name has its hardware address, if the system knows a neighbour with its address")
    func neighbours() throws {
        let table = """
            IP address       HW type     Flags       HW address            Mask     Device
            192.168.1.231    0x1         0x2         02:00:5e:00:00:31     *        eth0
            192.168.1.23     0x1         0x2         02:00:5e:00:00:23     *        eth0
            192.168.1.24     0x1         0x0         00:00:00:00:00:00     *        eth0

            """
        let kept = Kept()
        try withFolder { folder in
            let file = folder.appendingPathComponent("arp")
            try Data(table.utf8).write(to: file)
            let system = DeviceNames.System(name: { _ in nil }, neighbours: file.path, patience: 60)
            let sink = DeviceSink(kept, system: system)
            for address in ["192.168.1.23", "192.168.1.24", "192.168.1.2"] {
                sink.record(.connection(connection("\(address):1", .served)))
            }
            sink.finish()
        }
        #expect(
            kept.devices.withLock { $0 } == [
                DeviceName(address: "192.168.1.23", name: "02:00:5e:00:00:23", source: .neighbour)
            ])
    }

    @Test("a name that comes after the end is not recorded any more; the hardware address takes its place")
    func late() throws {
        let kept = Kept()
        let (asked, goOn, over) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        try withFolder { folder in
            let file = folder.appendingPathComponent("arp")
            try Data("192.168.1.23 0x1 0x2 02:00:5e:00:00:23 * eth0\n".utf8).write(to: file)
            let sink = DeviceSink(
                kept,
                system: DeviceNames.System(
                    name: { _ in
                        asked.signal()
                        goOn.wait()
                        over.signal()
                        return "late"
                    }, neighbours: file.path, patience: 0.01))
            sink.record(.connection(connection("192.168.1.23:1", .served)))
            asked.wait()
            sink.finish()
        }
        goOn.signal()
        over.wait()
        #expect(kept.names.withLock { $0 } == ["192.168.1.23"])
        #expect(
            kept.devices.withLock { $0 } == [
                DeviceName(address: "192.168.1.23", name: "02:00:5e:00:00:23", source: .neighbour)
            ])
    }

    @Test(
        "what a User-Agent says of its device",
        arguments: [
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15", "iPhone"),
            ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36", "Android"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Linux"),
            ("Shop/3.1 (iPad; iOS 18.0; Scale/2.00)", "iPad"), ("My%20App/7 CFNetwork/1568 Darwin/24", "My%20App"),
            ("okhttp/4.12.0", "okhttp"), ("(nothing)", nil), ("", nil), ("na\u{EF}ve/1", nil),
            (String(repeating: "a", count: 41), nil),
        ] as [(String, String?)])
    func agents(agent: String, says: String?) { #expect(AgentHint.of(agent) == says) }

    @Test("what went through a tunnel is the overhead of the exchange that opened it, also when its end was not seen")
    func tunnels() throws {
        let kept = Kept()
        let sink = DeviceSink(kept)
        for number in [Int64(1), 2] {
            var exchange = exchange(number, "CONNECT", "192.168.1.2\(2 + number):50123")
            sink.record(&exchange)
        }
        #expect(kept.ends.withLock { $0.isEmpty })
        var record = connection("192.168.1.23:50123", .served)
        record.payloadUp = ByteCount(1000)
        record.payloadDown = ByteCount(5000)
        record.load.messages = ByteFlow(up: ByteCount(100), down: ByteCount(39))
        sink.record(.connection(record))
        #expect(kept.ends.withLock { $0.isEmpty })
        record.closedAt = Timestamp(nanoseconds: 9)
        sink.record(.connection(record))
        let first = try #require(kept.ends.withLock { $0.first })
        #expect(first.share?.overhead == ByteFlow(up: ByteCount(900), down: ByteCount(4961)))
        sink.finish()
        sink.finish()
        #expect(kept.ends.withLock { $0.map(\.exchange) } == [ExchangeID(1), ExchangeID(2)])
    }

    @Test("TLS that passes is the device's, and was passed on; what else was not seen keeps its reason")
    func reasons() {
        let kept = Kept()
        for reason in [UnseenTraffic.Reason.tls, .torn] {
            var record = connection("192.0.2.1:443", .called)
            record.unseen = UnseenTraffic(reason: reason, serverName: "a.test")
            DeviceSink(kept).record(.connection(record))
        }
        #expect(kept.reasons.withLock { $0 } == [.passedOn, .torn])
    }

    @Test("the devices' connections have the network that they are to feel, the servers' have their own")
    func networks() {
        let kept = Kept()
        for network in ["simulated 3g", nil] {
            let sink = DeviceSink(kept, network: network)
            for direction in [TrafficDirection.served, .called] {
                var record = connection("192.168.1.23:50123", direction)
                record.network = ConnectionNetwork(interface: "eth0")
                sink.record(.connection(record))
            }
        }
        #expect(kept.networks.withLock { $0.map { $0?.name } } == ["simulated 3g", "eth0", "eth0", "eth0"])
    }
}
