import Foundation
import Testing
import WireweightTesting

/// The doctor, run as anybody would, on this machine and on ones that are made ill.
@Suite("doctor", .serialized, .enabled(if: Built.isComplete, "needs 'make build'"))
struct DoctorTests {
    private struct Examined {
        var ended: Ended
        var object: [String: Any]

        /// The verdicts by meter and style.
        func verdicts(of meter: String) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: styles(of: meter).map { ($0["style"] as! String, $0["verdict"] as! String) })
        }

        func styles(of meter: String) -> [[String: Any]] {
            (object["styles"] as? [[String: Any]] ?? []).filter { $0["meter"] as? String == meter }
        }

        func reasons(of meter: String) -> Set<String> { Set(styles(of: meter).compactMap { $0["reason"] as? String }) }
    }

    private func examine(
        _ command: String = Built.command, _ arguments: [String] = [], environment: [String: String?] = [:]
    ) throws -> Examined {
        let ended = try launch([command, "doctor", "--json"] + arguments, environment: environment)
        let object = try JSONSerialization.jsonObject(with: ended.output) as? [String: Any]
        return Examined(ended: ended, object: try #require(object, "\(ended)"))
    }

    private static let ofURLSession = [
        "data-task", "async-data", "delegate", "upload-data", "upload-file", "upload-stream", "download",
        "data-contents-of",
    ]

    @Test("every style is metered to the byte, inside a process and from outside", .enabled(if: Built.has("curl")))
    func healthy() throws {
        let examined = try examine()
        #expect(examined.ended.status == 0)
        #expect(examined.ended.errorText == "")
        #expect(examined.object["passed"] as? Bool == true)
        #expect(examined.styles(of: "monitor").map { $0["style"] as? String } == Self.ofURLSession)
        #expect(
            examined.styles(of: "run").map { $0["style"] as? String } == Self.ofURLSession + [
                "curl-easy", "curl-multi",
            ])
        for style in examined.object["styles"] as? [[String: Any]] ?? [] {
            let expected = try #require(style["expected"] as? [String: Int])
            #expect(style["metered"] as? [String: Int] == expected)
            #expect(style["difference"] as? [String: Int] == ["up": 0, "down": 0])
            #expect(style["verdict"] as? String == "exact")
            #expect(style["reason"] is NSNull)
            // A request line and a head at least, and 2,600 bytes of content with their chunks.
            #expect((expected["up"] ?? 0) > 80 && (expected["down"] ?? 0) > 2_600)
            #expect(expected["exchanges"] == ((style["style"] as? String)?.hasPrefix("curl") == true ? 4 : 1))
        }
        let sizes = Dictionary(
            uniqueKeysWithValues: examined.styles(of: "run").map {
                ($0["style"] as! String, ($0["expected"] as! [String: Int])["up"]!)
            })
        #expect((sizes["upload-data"] ?? 0) > 5_003)
        #expect((sizes["upload-file"] ?? 0) > 7_001)
        #expect((sizes["upload-stream"] ?? 0) > 9_001)
    }

    @Test("the versions, the tap's place, and what can be metered how well")
    func facts() throws {
        let object = try examine().object
        let system = object["system"] as? [String: Any]
        #expect((system?["kernel"] as? String)?.hasPrefix("Linux ") == true)
        #expect((system?["libc"] as? String)?.hasPrefix("glibc 2.") == true)
        let version = try launch([Built.command, "--version"]).outputText.dropLast()
        #expect(version.hasPrefix("wireweight \(object["wireweight"] as? String ?? "?")\n"))
        let tap = object["tap"] as? [String: Any]
        #expect((tap?["path"] as? String)?.hasSuffix("/libWireweightPreload.so") == true)
        #expect(tap?["problem"] is NSNull)
        let libcurl = try #require(
            (object["libcurl"] as? [[String: Any]])?.first { $0["name"] as? String == "libcurl.so.4" })
        #expect((libcurl["path"] as? String)?.contains("libcurl.so.4") == true)
        #expect(libcurl["known"] as? Bool == true)
        #expect(libcurl["showsFrames"] as? Bool == true)
        #expect(libcurl["showsPlaintext"] as? Bool == true)
        if Built.has("curl") {
            // `curl 7.88.1 (…) libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13 … nghttp2/1.52.0 …`
            let words = try launch(["curl", "-q", "--version"]).outputText.split(whereSeparator: \.isWhitespace)
            #expect(words.contains("libcurl/\(libcurl["version"] as? String ?? "")"))
            #expect(words.contains { $0 == libcurl["tls"] as? String ?? "" })
            #expect(words.contains("nghttp2/\(libcurl["nghttp2"] as? String ?? "")"))
        }
        let levels = (object["capabilities"] as? [[String: Any]] ?? []).map {
            "\($0["subject"] as? String ?? ""): \($0["level"] as? String ?? "")"
        }
        #expect(levels.contains("HTTP/1: exact"))
        for blind in ["WebSockets", "static programs", "setuid programs", "other HTTP stacks"] {
            #expect(levels.contains("\(blind): blind"))
        }
        #expect(object["program"] is NSNull)
    }

    @Test("as text: fits 80 columns, without colour, and says how it went")
    func text() throws {
        let ended = try launch(
            [Built.command, "doctor", "--verbose", "--program", "sh"], environment: ["COLUMNS": "80"])
        #expect(ended.status == 0)
        #expect(!ended.outputText.contains("\u{1B}"))
        // A path has no place to be broken at.
        let wide = ended.outputText.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("Tap ") }
        #expect(wide == [])
        #expect(ended.outputText.contains("that were tried are metered to the byte"))
        #expect(ended.outputText.contains("upload from a stream"))
        let answer = "What will be metered: exact for what is named here"
        #expect(ended.outputText.split(separator: "\n").prefix(2).contains { $0.contains(answer) })
        let short = try launch([Built.command, "doctor", "--program", "sh"], environment: ["COLUMNS": "80"])
        #expect(short.outputText.hasPrefix("The program /"))
        #expect(short.outputText.contains(answer) && !short.outputText.contains("upload from a stream"))
        #expect(short.outputText.hasSuffix("'--verbose' shows it.\n"))
    }

    // MARK: machines that are ill

    /// A copy of the command in a folder of its own.
    private func withCommand(_ body: (_ command: String, _ library: URL) throws -> Void) throws {
        try withFolder { folder in
            let copy = folder.appendingPathComponent("wireweight")
            // The file's own place is what the command asks for; a link would lead back.
            // By another process: what is open for writing here is so in programs that are just being started, too, and
            // cannot be executed meanwhile.
            #expect(try launch(["cp", Built.command, copy.path]).status == 0)
            try body(copy.path, folder.appendingPathComponent("libWireweightPreload.so"))
        }
    }

    @Test("without the library that goes into programs, nothing is metered from outside: status 1")
    func missingLibrary() throws {
        try withCommand { command, _ in
            let examined = try examine(command)
            #expect(examined.ended.status == 1)
            #expect(examined.object["passed"] as? Bool == false)
            #expect(Set(examined.verdicts(of: "monitor").values) == ["exact"])
            #expect(Set(examined.verdicts(of: "run").values) == ["not-metered"])
            let reason = try #require(examined.reasons(of: "run").first)
            #expect(reason.contains("'libWireweightPreload.so' is not beside the command"))
            #expect((examined.object["tap"] as? [String: Any])?["problem"] as? String == reason)
            let text = try launch([command, "doctor"])
            #expect(text.status == 1)
            #expect(text.outputText.contains("10 of 18 are not metered exactly."))
        }
    }

    @Test("with a library that cannot be loaded, it says what the dynamic linker says: status 1")
    func brokenLibrary() throws {
        try withCommand { command, library in
            try Data("no library\n".utf8).write(to: library)
            let examined = try examine(command)
            #expect(examined.ended.status == 1)
            #expect(Set(examined.verdicts(of: "run").values) == ["not-metered"])
            let reasons = examined.reasons(of: "run")
            #expect(!reasons.isEmpty)
            #expect(
                reasons.allSatisfy {
                    $0.hasPrefix("the program ran without the tap: ERROR: ld.so: ")
                        && $0.contains("cannot be preloaded")
                })
            // They went out all the same, so what was missed is known.
            #expect(
                examined.styles(of: "run").allSatisfy { $0["expected"] is [String: Int] && $0["metered"] is NSNull })
        }
    }

    @Test(
        "with a libcurl that the tap does not support, no hook is placed, and it says so: status 1",
        arguments: [[7, 60, 0], [7, 64, 1], [9, 0, 0]] as [[UInt8]])
    func unsupportedLibcurl(_ version: [UInt8]) throws {
        try withFolder { folder in
            try RenumberedLibcurl.write(to: folder.appendingPathComponent("libcurl.so.4"), version: version)
            let examined = try examine(environment: ["LD_LIBRARY_PATH": folder.path])
            #expect(examined.ended.status == 1)
            #expect(Set(examined.verdicts(of: "monitor").values) == ["not-metered"])
            #expect(Set(examined.verdicts(of: "run").values) == ["not-metered"])
            #expect(
                examined.reasons(of: "monitor") == [
                    "the tap does not support the libcurl of this process: it is older than 7.61, newer than 8, or "
                        + "7.64.1, which would print to standard error if it were metered; "
                        + "use a libcurl from 7.61 to 8 other than 7.64.1"
                ])
            #expect(
                examined.reasons(of: "run") == [
                    "libcurl was not metered, because the tap does not support this version; "
                        + "use a libcurl from 7.61 to 8 other than 7.64.1"
                ])
            let libraries = examined.object["libcurl"] as? [[String: Any]] ?? []
            #expect(libraries.first { $0["name"] as? String == "libcurl.so.4" }?["known"] as? Bool == false)
            let text = try launch([Built.command, "doctor"], environment: ["LD_LIBRARY_PATH": folder.path])
            #expect(text.outputText.contains(" (not supported)"))
            let store = folder.appendingPathComponent("t.db").path
            let run = try launch(
                [Built.command, "run", "--db", store, "--no-progress", "--", "curl", "-qsS", "http://127.0.0.1:1/"],
                environment: ["LD_LIBRARY_PATH": folder.path])
            #expect(
                run.errorText.contains(
                    "nothing was metered: libcurl was used, but not metered: the tap does not support this version "
                        + "(it supports 7.61 to 8, but not 7.64.1, which would print to standard error)"))
        }
    }

    @Test(
        "the versions next to one that is not supported are",
        arguments: [[7, 61, 0], [7, 64, 0], [7, 65, 0]] as [[UInt8]])
    func supportedLibcurl(_ version: [UInt8]) throws {
        try withFolder { folder in
            try RenumberedLibcurl.write(to: folder.appendingPathComponent("libcurl.so.4"), version: version)
            let examined = try examine(environment: ["LD_LIBRARY_PATH": folder.path])
            let libraries = examined.object["libcurl"] as? [[String: Any]] ?? []
            #expect(libraries.first { $0["name"] as? String == "libcurl.so.4" }?["known"] as? Bool == true)
            #expect(Set(examined.verdicts(of: "run").values).isDisjoint(with: ["not-metered"]))
        }
    }

    @Test("somebody else's preloaded library that is not there changes nothing")
    func othersLibrary() throws {
        let examined = try examine(environment: ["LD_PRELOAD": "/nonexistent/library.so"])
        #expect(examined.ended.status == 0)
        #expect(Set(examined.verdicts(of: "run").values).isSubset(of: ["exact", "cannot-run"]))
    }

    @Test("a proxy in the environment changes nothing: the requests stay on this machine")
    func proxy() throws {
        let closed = try ClosedPort()
        let proxy = "http://127.0.0.1:\(closed.number)"
        let examined = try examine(environment: ["http_proxy": proxy, "ALL_PROXY": proxy])
        #expect(examined.ended.status == 0)
        #expect(Set(examined.verdicts(of: "monitor").values) == ["exact"])
    }

    @Test("without curl its styles cannot be tried, which is no failure of the meter: status 0")
    func noCurl() throws {
        let examined = try examine(environment: ["PATH": "/nonexistent"])
        #expect(examined.ended.status == 0)
        let verdicts = examined.verdicts(of: "run")
        #expect(verdicts["curl-easy"] == "cannot-run" && verdicts["curl-multi"] == "cannot-run")
        #expect(verdicts["data-task"] == "exact")
        #expect(examined.reasons(of: "run") == ["'curl' is not installed"])
    }

    @Test("with a curl that cannot do it, that is said and is no failure of the meter")
    func feebleCurl() throws {
        try withFolder { folder in
            let curl = folder.appendingPathComponent("curl")
            try Data("#!/bin/sh\necho curl: option unknown >&2\nexit 2\n".utf8).write(to: curl)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl.path)
            let examined = try examine(environment: ["PATH": folder.path])
            #expect(examined.ended.status == 0)
            #expect(examined.reasons(of: "run") == ["it ended with status 2: curl: option unknown"])
        }
    }

    // MARK: programs

    @Test("a program that cannot be metered: status 1, and what to do")
    func staticProgram() throws {
        let program = try Built.program("inheritance-static")
        let examined = try examine(Built.command, ["--", program, "--its-own-option"])
        #expect(examined.ended.status == 1)
        let told = examined.object["program"] as? [String: Any]
        #expect(told?["path"] as? String == program)
        #expect(told?["verdict"] as? String == "no")
        #expect(told?["metering"] as? String == "nothing")
        #expect(told?["advice"] is String)
        #expect(Set(examined.verdicts(of: "monitor").values) == ["exact"])
    }

    @Test("no such program is bad input, two are wrong usage")
    func usage() throws {
        let missing = try launch([Built.command, "doctor", "--", "no-such-program-here"])
        #expect(missing.status == 65)
        #expect(missing.errorText.contains("there is no program 'no-such-program-here'"))
        #expect(missing.outputText == "")
        let two = try launch([Built.command, "doctor", "--program", "sh", "--", "ls"])
        #expect(two.status == 64)
    }
}

/// A copy of this machine's libcurl that says that it is another version.
enum RenumberedLibcurl {
    static func write(to file: URL, version other: [UInt8]) throws {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        guard let path = folders.map({ "\($0)/libcurl.so.4" }).first(where: FileManager.default.fileExists) else {
            throw Failed("there is no libcurl")
        }
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        let version = try launch(["curl", "-q", "--version"]).outputText.split(separator: " ")[1]
        let parts = version.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 3 else { throw Failed("curl says '\(version)'") }
        // In `curl_version_info_data`: its age, room, a pointer that is filled in later, and the number.
        let number = Data([parts[2], parts[1], parts[0], 0])
        var places: [Int] = []
        var from = data.startIndex
        while let found = data.range(of: number, in: from..<data.endIndex) {
            let place = found.lowerBound
            if place % 8 == 0, place >= 16, (1...30).contains(data[place - 16]),
                data[(place - 15)..<(place - 8)].allSatisfy({ $0 == 0 })
            {
                places.append(place)
            }
            from = found.upperBound
        }
        guard places.count == 1 else { throw Failed("the version is in \(places.count) places") }
        data.replaceSubrange(places[0]..<places[0] + 4, with: [other[2], other[1], other[0], 0])
        try data.write(to: file)
    }
}
