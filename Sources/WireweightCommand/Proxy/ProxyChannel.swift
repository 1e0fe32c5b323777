import Glibc
import Locks
import MachineExamination
import TrafficInspector

/// The pair of sockets between the command and the proxy that it starts: a line is one message.
///
/// The proxy writes `leg SERVER-LOCAL SERVER-REMOTE DEVICE` when it has connected to a server for a device's connection,
/// `ask DEVICE` when it has refused a device for the first time, and `admitted DEVICE` when that one was let in. The
/// command writes `admit DEVICE`.
final class ProxyChannel: DeviceAdmission {
    /// The proxy's end, which it inherits.
    let remote: Int32
    private let own: Int32
    private let devices = Mutex<[String]>([])

    init() throws(RunFailure) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
            throw RunFailure("cannot make a pair of sockets: \(String(cString: strerror(errno)))", status: 71)
        }
        (own, remote) = (ends[0], ends[1])
        _ = fcntl(own, F_SETFD, FD_CLOEXEC)
        _ = fcntl(own, F_SETFL, O_NONBLOCK)
        // Room for some thousand lines, if the command is slow.
        var size: Int32 = 4 << 20
        for end in ends {
            for option in [SO_SNDBUF, SO_RCVBUF] {
                setsockopt(end, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
            }
        }
    }

    deinit { close(own) }

    /// Closes the proxy's end here, when the proxy has it.
    func hasStarted() { close(remote) }

    var asking: [String] { devices.withLock { $0 } }

    func admit(_ device: String) -> Bool {
        guard asking.contains(device) else { return false }
        var line = "admit \(device)"
        let sent = line.withUTF8 { send(own, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent > 0 else { return false }
        devices.withLock { $0.removeAll { $0 == device } }
        return true
    }

    /// Visits the connections that have been reported since the last call; it does not wait.
    func readLegs(_ body: (LegJoiner.Ends, _ device: String) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
            while true {
                let count = recv(own, buffer.baseAddress, buffer.count, 0)
                guard count > 0 else {
                    if count < 0, errno == EINTR { continue }
                    return
                }
                let line = String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
                let words = line.split(separator: " ")
                switch (words.first, words.count) {
                case ("leg", 4):
                    body(LegJoiner.Ends(local: String(words[1]), remote: String(words[2])), String(words[3]))
                case ("ask", 2): devices.withLock { $0.append(String(words[1])) }
                case ("admitted", 2): devices.withLock { $0.removeAll { $0 == words[1] } }
                default: continue
                }
            }
        }
    }
}
