#if os(Linux)
    import CStreamPlay
    import CurlObserver
    import Locks
    import TrafficModel

    extension FuzzTarget {
        /// The stream tap and the reader of its frames, on connections of HTTP/2: see ``FuzzedConnection``.
        static let stream = FuzzTarget(
            name: "stream",
            seeds: { FuzzedConnection.seeds.map { FuzzedConnection.input(split: 7, $0) } },
            run: { input in
                let connection = FuzzedConnection(input)
                // HTTP/1 has targets of its own.
                let first = connection.steps(.whole).first
                guard let first, !first.isDown, first.bytes?.starts(with: "PRI * HTTP/2.0\r\n".utf8) == true else {
                    return
                }
                let whole = try play(connection, .whole)
                for split in [FuzzedConnection.Split.drawn, .single] {
                    let told = try play(connection, split)
                    try mustHold(told.messages == whole.messages, "in \(split): \(told); in one: \(whole)")
                }
                try whole.check()
            })

        private static func play(_ connection: FuzzedConnection, _ split: FuzzedConnection.Split) throws -> ToldTraffic
        {
            let play = csp_begin(true, false)
            defer { csp_free(play) }
            for step in connection.steps(split) {
                step.bytes?.withUnsafeBufferPointer { csp_pass(play, step.isDown, $0.baseAddress, $0.count) }
            }
            csp_close(play, true, 0)
            var count = 0
            let frames = csp_frames(play, &count)
            let sink = Sink()
            let reader = TapReader(
                process: ProcessIdentity(pid: 1, name: "fuzzed"), sink: sink,
                wallOffset: { 1_000 })
            try mustHold(
                take(Array(UnsafeBufferPointer(start: frames, count: count)), reader), "the tap's frames are malformed")
            reader.finish(at: 1 << 62)
            return ToldTraffic(sink.events.withLock(\.self))
        }
    }
#endif
