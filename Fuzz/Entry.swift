#if FUZZING
    import Foundation

    /// libFuzzer calls this function first.
    ///
    /// `FUZZ_TARGET` names the target. If `FUZZ_SEEDS` names a folder, the function only writes the target's seeds
    /// there.
    @_cdecl("LLVMFuzzerInitialize")
    public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
        if let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] {
            for (number, seed) in chosen.seeds().enumerated() {
                let path = "\(folder)/seed-\(number)"
                guard FileManager.default.createFile(atPath: path, contents: Data(seed)) else {
                    fatalError("'\(path)' cannot be written; name a folder that is there in FUZZ_SEEDS")
                }
            }
            exit(0)
        }
        return 0
    }

    /// libFuzzer calls this function with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
        do {
            try chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            // In ASCII, because a NUL would end the message.
            fatalError("\(error)".unicodeScalars.map { $0.escaped(asASCII: true) }.joined())
        }
        return 0
    }

    private let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET is '\(name)'; it must be one of \(FuzzTarget.all.map(\.name))")
        }
        return target
    }()
#endif
