import Dispatch
import Glibc
import Locks
import TrafficModel

/// Finds by what people know the devices of a proxy.
///
/// The system may take half a minute for a name. It is asked on threads of this command's own, so neither the proxy nor
/// what it reports waits.
final class DeviceNames: Sendable {
    /// Asks the system.
    struct System: Sendable {
        var name: @Sendable (_ address: String) -> String? = DeviceNames.name(of:)
        /// The file with the table of neighbours.
        var neighbours = "/proc/net/arp"
        /// How long the end waits for names, in seconds.
        var patience = 2.0
    }

    private struct State {
        var asked: Set<String> = []
        var hinted: Set<String> = []
        var running = 0
        /// The hardware addresses of those that are being looked up.
        var neighbours: [String: String] = [:]
        var isOver = false
    }

    /// Addresses of IPv6 change daily.
    private static let most = 1_000

    private let system: System
    private let give: @Sendable (DeviceName) -> Void
    private let state = Mutex(State())
    private let done = DispatchSemaphore(value: 0)
    // A name that takes long holds up a quarter of the others.
    private let queues = (0..<4).map { DispatchQueue(label: "device names \($0)") }

    init(system: System = System(), _ give: @escaping @Sendable (DeviceName) -> Void) {
        self.system = system
        self.give = give
    }

    /// Looks a device up if it is a new one.
    func find(_ address: String) {
        let number: Int? = state.withLock { state in
            guard state.asked.count < Self.most, state.asked.insert(address).inserted else { return nil }
            state.running += 1
            return state.asked.count
        }
        guard let number else { return }
        queues[number % queues.count].async { [self] in
            let hardware = Self.hardware(of: address, in: system.neighbours)
            state.withLock { $0.neighbours[address] = hardware }
            let name = system.name(address).flatMap(Self.plain)
            if let name {
                say(DeviceName(address: address, name: name, source: .lookup))
            } else if let hardware {
                say(DeviceName(address: address, name: hardware, source: .neighbour))
            }
            let isLast = state.withLock { state in
                state.neighbours[address] = nil
                state.running -= 1
                return state.running == 0 && state.isOver
            }
            if isLast { done.signal() }
        }
    }

    /// Keeps what the first User-Agent of a device says that says something.
    func hint(_ agent: @autoclosure () -> String?, of address: String) {
        let isNew = state.withLock { $0.hinted.count < Self.most && !$0.hinted.contains(address) }
        guard isNew, let hint = agent().flatMap(AgentHint.of) else { return }
        guard state.withLock({ $0.hinted.insert(address).inserted }) else { return }
        give(DeviceName(address: address, name: hint, source: .agent))
    }

    /// Waits a moment for names that are being looked up; later ones are not given any more, and hardware addresses take
    /// their place.
    func finish() {
        let isRunning = state.withLock { state in
            state.isOver = true
            return state.running > 0
        }
        if isRunning { _ = done.wait(timeout: .now() + system.patience) }
        let left = state.withLock { state in
            state.asked = []
            return state.neighbours.sorted { $0.key < $1.key }
        }
        for (address, hardware) in left { give(DeviceName(address: address, name: hardware, source: .neighbour)) }
    }

    private func say(_ name: DeviceName) {
        // After the end the set is empty.
        if state.withLock({ $0.asked.contains(name.address) }) { give(name) }
    }

    /// The name without the root's dot; nil if it is none.
    private static func plain(_ name: String) -> String? {
        let name = name.hasSuffix(".") ? String(name.dropLast()) : name
        let isText = name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return name.isEmpty || name.utf8.count > 255 || !isText ? nil : name
    }

    /// What the system knows of an address: by its hosts file, DNS, mDNS, as its nsswitch.conf has it.
    private static func name(of address: String) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, nil, &hints, &list) == 0, let found = list else { return nil }
        defer { freeaddrinfo(list) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let status = getnameinfo(
                found.pointee.ai_addr, found.pointee.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil, 0,
                NI_NAMEREQD)
            return status == 0 ? String(cString: buffer.baseAddress!) : nil
        }
    }

    /// The hardware address of a neighbour; nil if the table has none, as for IPv6.
    static func hardware(of address: String, in path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0, let text = line.map({ String(cString: $0) }) {
            // IP address, HW type, Flags, HW address, Mask, Device
            let words = text.split(whereSeparator: \.isWhitespace)
            guard words.count == 6, words[0] == address, words[3] != "00:00:00:00:00:00" else { continue }
            return String(words[3])
        }
        return nil
    }
}
