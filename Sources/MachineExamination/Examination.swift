package import Diagnosis
internal import Foundation

/// The doctor's findings.
package struct Examination {
    /// The version of this program.
    let version: String
    let machine: Machine
    /// Requests that this process made and metered itself.
    let inside: [SelfTest.Check]
    /// Requests of other programs, metered from outside.
    let outside: [SelfTest.Check]
    let capabilities: [SelfTest.Capability]
    let program: ProgramDiagnosis?

    /// Makes the canaries' requests, and collects the machine's versions.
    ///
    /// - Parameters:
    ///   - version: the version of this program.
    ///   - program: a program that was named, examined.
    ///   - selfTest: runs this process's self-test, and passes each style on before its requests are made.
    ///   - progress: receives what happens next.
    /// - Returns: the findings.
    package static func make(
        version: String, program: ProgramDiagnosis?,
        selfTest: (_ progress: @escaping @Sendable (SelfTest.Style) -> Void) -> SelfTest?,
        _ progress: @escaping @Sendable (String) -> Void
    ) -> Examination {
        // The canaries must not leave this machine, even if a proxy is set.
        setenv("no_proxy", "*", 1)
        setenv("NO_PROXY", "*", 1)
        let inside = selfTest { progress("\($0.title) in this process") }?.checks ?? []
        let outside = OutsideCheck.run(progress)
        progress("versions")
        // Last, because it loads libcurls that the canaries did not load.
        let machine = Machine()
        return Examination(
            version: version, machine: machine, inside: inside, outside: outside,
            capabilities: SelfTest.Capability.all(with: machine.libcurls), program: program)
    }

    private var checks: [SelfTest.Check] { inside + outside }

    /// Whether no check found the meter at fault, and the program, if one was named, can be metered.
    package var isPassed: Bool { !checks.contains { $0.verdict.isFailure } && program?.verdict != .no }

    /// The result of the canaries in one sentence.
    var conclusion: String {
        let failed = checks.filter(\.verdict.isFailure).count
        let skipped = checks.filter { !$0.verdict.hasRun }.count
        let rest = skipped > 0 ? "; \(skipped) could not be tried here" : ""
        if failed > 0 { return "\(failed) of \(checks.count) are not metered exactly\(rest)." }
        let exact = checks.count - skipped
        return exact > 0
            ? "All \(exact) that were tried are metered to the byte\(rest)." : "None could be tried here."
    }
}
