#if FUZZING
    import Foundation

    /// libFuzzer calls it before anything else.
    ///
    /// `FUZZ_TARGET` names the target; with `FUZZ_SEEDS`, its seeds are written into that folder, and that is all.
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

    /// libFuzzer calls it with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
        do {
            try chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            // In ASCII, for a NUL would end it.
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
