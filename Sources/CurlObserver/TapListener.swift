internal import CCurlTap
internal import Clocks
internal import Observing
internal import Locks
internal import TLSRecords
package import TrafficModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Receives the frames of preloaded programs over a Unix socket, and turns them into traffic events.
package final class TapListener: Sendable {
    /// One process that has sent its hello.
    package struct MeteredProcess: Hashable, Sendable {
        package var identity: ProcessIdentity
        package var path: String
        package var hasLibcurl: Bool
        package var libcurlVersion: String
        package var exchanges: Int
        /// Those of ``exchanges`` that were seen below the program's HTTP library.
        package var streamExchanges: Int
    }

    /// The listener could not be started.
    package struct Failure: Error {
        package let message: String
    }

    private struct State {
        var isStopping = false
        var processes: [Int32: MeteredProcess] = [:]
        var unmetered = UnmeteredTally()
        var malformed = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let socket: Int32
        let path: String
        init(socket: Int32, path: String) {
            self.socket = socket
            self.path = path
        }
        deinit {
            close(socket)
            unlink(path)
            unlink(path + WWT_LOSSES)
        }

        /// The number of exchanges that were lost with programs that have ended, because nothing took their frames.
        var leftBehind: Int64 {
            let file = open(path + WWT_LOSSES, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return 0 }
            defer { close(file) }
            var count: UInt64 = 0
            guard read(file, &count, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size else { return 0 }
            return Int64(clamping: count)
        }
    }

    private let shared: Shared
    private let thread: JoinableThread

    /// Listens at that path, on a thread of its own.
    ///
    /// The caller owns the folder, and should let no other user into it.
    ///
    /// - Parameters:
    ///   - path: the path of the socket, which is made here.
    ///   - sink: receives the events.
    ///   - keyLog: the file into which programs write the secrets of their TLS; nil if none is read.
    ///   - digests: whether bodies in that TLS get digests.
    /// - Throws: ``Failure`` if the socket or the thread cannot be made, or nothing can be deciphered here.
    package init(
        path: String, sink: any TrafficSink, keyLog: String? = nil, digests: Bool = true
    ) throws(Failure) {
        let deciphering = try keyLog.map { path throws(Failure) in try Deciphering(path, digests: digests) }
        shared = Shared(socket: try Self.listen(at: path), path: path)
        Self.makeRoomForLosses(at: path + WWT_LOSSES)
        guard let inbox = Inbox() else { throw Failure(message: "there is no memory for messages of programs") }
        thread = JoinableThread { [shared] in
            var loop = Loop(shared: shared, sink: sink, inbox: inbox, deciphering: deciphering)
            loop.run()
        }
        guard thread.isRunning else {
            throw Failure(
                message: "the system could not create a thread; close other programs, or raise the limit ('ulimit -u')")
        }
    }

    /// The processes that have sent a hello so far.
    package var processes: [MeteredProcess] {
        shared.state.withLock { $0.processes.values.sorted { $0.identity.pid < $1.identity.pid } }
    }

    /// The programs that metered ones have started so far, and that are not metered.
    package var unmetered: UnmeteredTally { shared.state.withLock { $0.unmetered } }

    /// The number of connections that were closed because their bytes made no sense.
    package var malformedCount: Int { shared.state.withLock { $0.malformed } }

    /// Takes everything that was sent until now, then closes.
    ///
    /// Processes that still send find no listener, and run on.
    package func stop() {
        shared.state.withLock { $0.isStopping = true }
        // Wakes the thread that polls the socket.
        shutdown(shared.socket, Int32(SHUT_RD))
        thread.join()
    }

    private static func listen(at path: String) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure(message: "the path '\(path)' is too long for a socket; set TMPDIR to a shorter one")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Glibc)
            let made = socket(
                AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        #else
            let made = socket(AF_UNIX, SOCK_SEQPACKET, 0)
        #endif
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, size) }
        }
        guard made >= 0, bound == 0, queueUp(made) == 0 else {
            let reason = String(cString: strerror(errno))
            if made >= 0 { close(made) }
            throw Failure(message: "cannot listen at '\(path)': \(reason); set TMPDIR to a folder that can be written")
        }
        return made
    }

    /// Makes the file in which programs count the exchanges that they lose.
    ///
    /// If it fails, those losses stay uncounted.
    private static func makeRoomForLosses(at path: String) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        _ = ftruncate(file, off_t(MemoryLayout<UInt64>.size))
        close(file)
    }

    private static func queueUp(_ socket: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.listen(socket, 4_096)
        #elseif canImport(Musl)
            Musl.listen(socket, 4_096)
        #else
            Darwin.listen(socket, 4_096)
        #endif
    }

    /// What deciphers TLS, and the keys.
    private struct Deciphering {
        let keys: String
        let library: Libcrypto
        let digests: Bool

        init(_ keys: String, digests: Bool) throws(Failure) {
            guard let library = Libcrypto.system else {
                throw Failure(
                    message:
                        "'--tls-keys' needs \(Libcrypto.names) of OpenSSL, which this system does not have; install it")
            }
            self.keys = keys
            self.library = library
            self.digests = digests
        }
    }

    // MARK: the thread

    private struct Loop {
        let shared: Shared
        let sink: any TrafficSink
        let identifiers = IdentifierSource()
        var readers: [Int32: TapReader] = [:]
        /// The programs that are about to start, by the connections that their starts close.
        var starts: [Int32: UnmeteredProgram] = [:]
        let inbox: Inbox
        /// What programs put into memory that they share with us, by the connection that wakes us for it.
        var rings: [Int32: SharedRing] = [:]
        /// What deciphers the TLS of each program.
        var decipherers: [Int32: DecipheringReader] = [:]
        let deciphering: Deciphering?
        let keys: KeyLogFile?

        init(shared: Shared, sink: any TrafficSink, inbox: Inbox, deciphering: Deciphering?) {
            self.shared = shared
            self.sink = sink
            self.inbox = inbox
            self.deciphering = deciphering
            keys = deciphering.map { KeyLogFile(path: $0.keys) }
        }

        /// How long the thread waits before it reads, so that more frames gather.
        ///
        /// Then programs seldom have to wake this thread, and the parts of an exchange are mostly reported in one go.
        private static let gatherMilliseconds: Int32 = 5

        mutating func run() {
            var isBehind = false
            var isBusy = false
            while !shared.state.withLock({ $0.isStopping }) {
                var polled = [pollfd(fd: shared.socket, events: Int16(POLLIN), revents: 0)]
                polled += readers.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                // While programs put messages into rings, we look there by ourselves, and they need not wake us.
                let maySleep = !isBusy && rings.values.allSatisfy { $0.maySleep() }
                let wait: Int32 = isBehind ? 0 : maySleep ? 50 : Self.gatherMilliseconds
                let found = poll(&polled, nfds_t(polled.count), wait)
                if found == 0, maySleep { takeKeys() }
                let isFrames = polled.dropFirst().contains { $0.revents != 0 && rings[$0.fd] == nil }
                if isFrames, !isBehind { usleep(UInt32(Self.gatherMilliseconds) * 1_000) }
                isBehind = false
                isBusy = false
                for entry in polled.dropFirst() where entry.revents != 0 && receive(entry.fd) { isBehind = true }
                for descriptor in rings.keys {
                    switch drain(descriptor) {
                    case .nothing: break
                    case .some: isBusy = true
                    case .more: isBehind = true
                    }
                }
                guard polled[0].revents != 0 else { continue }
                while accept() {}
            }
            finish()
        }

        private enum Drained { case nothing, some, more }

        /// Takes some messages of a program's ring.
        private mutating func drain(_ descriptor: Int32) -> Drained {
            guard let ring = rings[descriptor], let reader = readers[descriptor] else { return .nothing }
            var taken = 0
            defer {
                if taken > 0 {
                    reader.sendEvents()
                    note(reader)
                }
            }
            while taken < Self.mostAtOnce {
                do {
                    guard let message = try ring.take() else { return taken > 0 ? .some : .nothing }
                    taken += 1
                    guard take(message, of: descriptor, reader) else {
                        disconnect(descriptor)
                        return .nothing
                    }
                } catch {
                    noteMalformed()
                    disconnect(descriptor)
                    return .nothing
                }
            }
            return .more
        }

        /// Takes the rest of a ring, which takes nothing more.
        private mutating func drainLast(_ ring: SharedRing, of descriptor: Int32, _ reader: TapReader) {
            ring.close()
            while let message = try? ring.take(), take(message, of: descriptor, reader) {}
            reader.sendEvents()
        }

        private func noteMalformed() {
            shared.state.withLock { $0.malformed += 1 }
            sink.record(.loss(TrafficLoss(reason: .malformed, count: 1)))
        }

        /// How many messages of a program are taken before it is the turn of the others.
        private static let mostAtOnce = 256

        /// Deciphers what has waited for keys, which programs may write late.
        private func takeKeys() {
            for (descriptor, decipherer) in decipherers {
                guard let reader = readers[descriptor] else { continue }
                try? decipherer.takeKeys(reader)
                reader.sendEvents()
                note(reader)
            }
        }

        /// Takes what is in the sockets, and accepts nothing more, because a program that sends without end must not
        /// hold up `stop`.
        private mutating func finish() {
            shutdown(shared.socket, Int32(SHUT_RD))
            while accept() {}
            for descriptor in readers.keys { shutdown(descriptor, Int32(SHUT_RD)) }
            for descriptor in readers.keys.sorted() {
                while readers[descriptor] != nil, receive(descriptor) {}
                disconnect(descriptor)
            }
            let left = shared.leftBehind
            if left > 0 { sink.record(.loss(TrafficLoss(reason: .bufferFull, count: left))) }
        }

        /// Accepts one connection; false if none waits.
        private mutating func accept() -> Bool {
            #if canImport(Glibc)
                let made = Glibc.accept(shared.socket, nil, nil)
            #elseif canImport(Musl)
                let made = Musl.accept(shared.socket, nil, nil)
            #else
                let made = Darwin.accept(shared.socket, nil, nil)
            #endif
            guard made >= 0 else {
                // Without a free descriptor the connection waits in the queue, and trying again at once would fail again.
                if errno == EMFILE || errno == ENFILE { usleep(10_000) }
                return false
            }
            _ = fcntl(made, F_SETFD, FD_CLOEXEC)
            var size: Int32 = 8 << 20
            setsockopt(made, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            readers[made] = TapReader(
                process: ProcessIdentity(pid: 0, name: ""), sink: sink, identifiers: identifiers,
                wallOffset: SystemClock.wallOffset)
            if let deciphering, let keys {
                decipherers[made] = DecipheringReader(keys, deciphering.library, skipsDigests: !deciphering.digests)
            }
            return true
        }

        /// Takes some messages of one connection; false if there are no more now.
        private mutating func receive(_ descriptor: Int32) -> Bool {
            guard let reader = readers[descriptor] else { return false }
            defer {
                reader.sendEvents()
                note(reader)
            }
            var taken = 0
            while taken < Self.mostAtOnce {
                guard let count = inbox.receive(from: descriptor), noteRing(of: descriptor, reader) else {
                    disconnect(descriptor)
                    return false
                }
                if count == 0 { return false }
                taken += count
                for index in 0..<count {
                    let message = inbox[index]
                    // After the hello, those of a program with a ring only wake us.
                    if !message.isEmpty, reader.hello != nil, rings[descriptor] != nil { continue }
                    guard take(message, of: descriptor, reader) else {
                        disconnect(descriptor)
                        return false
                    }
                }
            }
            return true
        }

        /// Takes the ring that came with a hello; false if it is none.
        private mutating func noteRing(of descriptor: Int32, _ reader: TapReader) -> Bool {
            guard let memory = inbox.takeDescriptor() else { return true }
            let ring = SharedRing(memory)
            guard let ring, reader.hello == nil, rings[descriptor] == nil else {
                noteMalformed()
                return false
            }
            rings[descriptor] = ring
            return true
        }

        /// Takes one message; false if it is the last one of its connection.
        private mutating func take(
            _ message: UnsafeRawBufferPointer, of descriptor: Int32, _ reader: TapReader
        ) -> Bool {
            if message.isEmpty { return false }
            do {
                // A program that does not start with a hello is not the tap, so nothing else that it sends counts.
                if reader.hello == nil, case .unmetered(let program) = try TapFrameReader.opening(message) {
                    starts[descriptor] = program
                    return true
                }
                if let decipherer = decipherers[descriptor] {
                    try decipherer.take(message, reader)
                } else {
                    try reader.takeFrames(message)
                }
                return true
            } catch {
                noteMalformed()
                return false
            }
        }

        private mutating func disconnect(_ descriptor: Int32) {
            guard let reader = readers[descriptor] else { return }
            if let ring = rings.removeValue(forKey: descriptor) { drainLast(ring, of: descriptor, reader) }
            readers[descriptor] = nil
            if let program = starts.removeValue(forKey: descriptor) {
                shared.state.withLock { $0.unmetered.add(program) }
            }
            // Its frames are our own, so none is malformed.
            try? decipherers.removeValue(forKey: descriptor)?.finish(reader)
            // A program that gave up waiting for us has counted its losses before it ended, but the count does not say
            // whose they are. So whenever a connection closes after that, the ends of its running exchanges may be
            // among the losses.
            reader.finish(at: SystemClock.monotonic(), isCut: shared.leftBehind > 0)
            note(reader)
            _ = close(descriptor)
        }

        private func note(_ reader: TapReader) {
            guard let hello = reader.hello else { return }
            shared.state.withLock { state in
                // A process announces itself on one connection, and reports its traffic on another one or on several.
                let earlier = state.processes[hello.pid]
                state.processes[hello.pid] = MeteredProcess(
                    identity: ProcessIdentity(pid: hello.pid, program: hello.path),
                    path: hello.path, hasLibcurl: hello.hasLibcurl || earlier?.hasLibcurl == true,
                    libcurlVersion: hello.libcurlVersion.isEmpty
                        ? earlier?.libcurlVersion ?? "" : hello.libcurlVersion,
                    exchanges: (earlier?.exchanges ?? 0) + reader.takeNewExchangeCount(),
                    streamExchanges: (earlier?.streamExchanges ?? 0) + reader.takeNewStreamExchangeCount())
            }
        }
    }
}

extension TapListener {
    /// The version of the format in which taps report.
    package static let protocolVersion = Int(WWT_PROTOCOL)
}
