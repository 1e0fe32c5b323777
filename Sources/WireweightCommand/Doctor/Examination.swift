import Foundation
import TrafficExport
import TrafficReports
import Wireweight

/// What the doctor has found.
struct Examination {
    let machine: Machine
    /// Requests that this process made and metered itself.
    let inside: [SelfTest.Check]
    /// Requests of other programs, metered from outside.
    let outside: [SelfTest.Check]
    let capabilities: [SelfTest.Capability]
    let program: ProgramDiagnosis?

    /// Makes the canaries, and asks the machine.
    static func make(program: ProgramDiagnosis?, _ progress: @escaping @Sendable (String) -> Void) -> Examination {
        // The canaries stay on this machine, whatever proxy is set.
        setenv("no_proxy", "*", 1)
        setenv("NO_PROXY", "*", 1)
        let inside =
            (try? InspectorHost.wait {
                await TrafficMonitor.selfTest { progress("\($0.title) in this process") }
            })?.checks ?? []
        let outside = OutsideCheck.run(progress)
        progress("versions")
        // Last, for it loads libcurls that the canaries did not ask for.
        let machine = Machine()
        return Examination(
            machine: machine, inside: inside, outside: outside,
            capabilities: SelfTest.Capability.all(with: machine.libcurls), program: program)
    }

    private var checks: [SelfTest.Check] { inside + outside }

    /// Whether all that should be metered is metered, and the program can be.
    var isPassed: Bool { !checks.contains { $0.verdict.isFailure } && program?.verdict != .no }

    /// In a sentence, what came of the canaries.
    var conclusion: String {
        let failed = checks.filter(\.verdict.isFailure).count
        let skipped = checks.filter { if case .cannotRun = $0.verdict { true } else { false } }.count
        let rest = skipped > 0 ? "; \(skipped) could not be tried here" : ""
        if failed > 0 { return "\(failed) of \(checks.count) are not metered exactly\(rest)." }
        let exact = checks.count - skipped
        return exact > 0
            ? "All \(exact) that were tried are metered to the byte\(rest)." : "None could be tried here."
    }
}
