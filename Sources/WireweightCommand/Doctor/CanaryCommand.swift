import ArgumentParser
import Diagnosis
import MachineExamination

/// Makes the doctor's requests in a separate process, which the doctor meters from outside like any other program.
struct CanaryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canaries", abstract: "Make a request in each style of URLSession; used by 'doctor'.",
        shouldDisplay: false)

    @Argument(help: "Where the requests go, without a slash at the end.")
    var address: String

    func run() throws {
        let address = address
        var output = Output()
        for style in SelfTest.Style.ofURLSession {
            let failure = try InspectorHost.wait { await Canary.send(style, to: address) }
            // Flush after each line: if this process dies, the doctor sees how far it came.
            try output.write("\(style.rawValue)\t\(CanaryReport.line(failure ?? ""))\n")
            try output.flush()
        }
    }
}
