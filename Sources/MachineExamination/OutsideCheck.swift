internal import CurlObserver
internal import Diagnosis
internal import Foundation

/// Meters canaries in separate programs from outside, as `wireweight run` does: this command for URLSession, and curl
/// for libcurl.
struct OutsideCheck {
    private let folder: PrivateFolder
    private let origin: CanaryOrigin
    private let library: String
    private let progress: (String) -> Void

    /// Makes and meters the canaries of every style; reports each program before it starts.
    static func run(_ progress: @escaping (String) -> Void) -> [SelfTest.Check] {
        do {
            let check = try OutsideCheck(progress)
            defer { check.close() }
            return try check.checks()
        } catch let failure as RunFailure {
            return all(.notMetered(reason: failure.message))
        } catch let failure as TapListener.Failure {
            return all(.notMetered(reason: failure.message))
        } catch {
            return all(.cannotRun(reason: "\(error)"))
        }
    }

    private static func all(_ verdict: SelfTest.Verdict) -> [SelfTest.Check] {
        SelfTest.Style.allCases.map { SelfTest.Check(style: $0, verdict: verdict) }
    }

    private init(_ progress: @escaping (String) -> Void) throws {
        self.progress = progress
        library = try PreloadLibrary.find()
        folder = try PrivateFolder()
        do {
            origin = try CanaryOrigin()
        } catch {
            folder.remove()
            throw error
        }
    }

    private func close() {
        origin.stop()
        folder.remove()
    }

    private func checks() throws -> [SelfTest.Check] {
        var attempts: [SelfTest.Style: Attempt] = [:]
        progress("URLSession in a metered program")
        let own = try meter(program: "/proc/self/exe", ["canaries", origin.address])
        let failures = own.outcome.map { CanaryReport.read($0.output) } ?? [:]
        for style in SelfTest.Style.ofURLSession {
            var attempt = own
            attempt.failure =
                failures[style].map { $0.isEmpty ? nil : $0 } ?? own.failure ?? "the program ended before it"
            attempts[style] = attempt
        }
        for (style, arguments) in Self.curls {
            progress(style.title)
            let url = "\(origin.address)\(CanaryOrigin.path(of: style))"
            attempts[style] = try meter(program: "curl", Self.always + arguments + ["\(url)/[1-4]"])
        }
        origin.settle()
        return SelfTest.Style.allCases.compactMap { style in
            attempts[style].map { attempt in
                SelfTest.Check(
                    style, origin: origin, log: attempt.log, failure: attempt.failure, obstacle: attempt.obstacle)
            }
        }
    }

    /// The options of every curl: without the user's configuration file and without a proxy.
    private static let always = ["-qsS", "--max-time", "20", "--noproxy", "*", "--output", "/dev/null"]
    private static let curls: [(SelfTest.Style, [String])] = [(.curlEasy, []), (.curlMulti, ["--parallel"])]

    // MARK: a program

    private struct Attempt {
        /// The metered exchanges of this program alone, because each program numbers its exchanges anew.
        let log: CanaryLog
        var outcome: Probe.Outcome?
        /// The program's own error; nil if it succeeded.
        var failure: String?
        /// Why the program could not be metered; nil if it could.
        var obstacle: SelfTest.Verdict?
    }

    private func meter(program name: String, _ arguments: [String]) throws -> Attempt {
        var attempt = Attempt(log: CanaryLog(port: origin.port))
        let program: Program
        do throws(RunFailure) { program = try Program(name: name) } catch {
            attempt.obstacle = .cannotRun(reason: "'\(name)' is not installed")
            return attempt
        }
        if let obstacle = program.obstacle {
            let title = name.hasPrefix("/") ? "this command" : "'\(program.path.shown)'"
            attempt.obstacle = .cannotRun(reason: "the tap cannot be loaded into \(title): \(obstacle.explanation)")
            return attempt
        }
        let socket = "\(folder.path)/tap"
        let listener = try TapListener(path: socket, sink: attempt.log)
        let outcome: Probe.Outcome
        do throws(RunFailure) {
            outcome = try Probe(folder: folder.path).run(
                [program.path.shown] + arguments, environment: .metered(by: library, socket: socket))
        } catch {
            listener.stop()
            attempt.obstacle = .cannotRun(reason: error.message)
            return attempt
        }
        listener.stop()
        attempt.outcome = outcome
        let said = outcome.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
        if outcome.isTimedOut {
            attempt.failure = "it did not end within a minute, and was stopped"
        } else if outcome.status != 0 {
            attempt.failure = "it ended with status \(outcome.status)\(said)"
        }
        if listener.processes.isEmpty {
            attempt.obstacle = .notMetered(reason: "the program ran without the tap\(said)")
        } else if attempt.log.untapped > 0 {
            attempt.obstacle = .notMetered(
                reason: "libcurl was not metered, because the tap does not support this version; "
                    + CurlObserver.Refusal.unknownLibcurl.advice)
        }
        return attempt
    }
}
