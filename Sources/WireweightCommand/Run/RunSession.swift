import CurlObserver
import Foundation
import TrafficModel
import TrafficPipeline
import TrafficReports
import TrafficStore

/// One metered run: the socket, the store, and the sums.
final class RunSession {
    private let folder: PrivateFolder
    private let writer: BatchWriter
    private let tally = TrafficTally()
    private let listener: TapListener
    private let library: String
    private let storePath: String?
    private let keepBodies: Int
    private let signals: (blocked: sigset_t, before: sigset_t)
    private var writeFailure: StoreError?

    init(storePath: String?, keepBodies: Int, templates: [TemplatePattern]) throws(RunFailure) {
        self.storePath = storePath
        self.keepBodies = keepBodies
        library = try PreloadLibrary.find()
        signals = ChildProcess.blockSignals()
        folder = try PrivateFolder()
        do {
            writer = BatchWriter(store: try StoreWriter.open(storePath ?? "\(folder.path)/traffic.db"))
            let rules = TrafficPipeline.Rules(templates: URLTemplate(given: templates))
            let sink = TrafficPipeline(rules, to: TeeSink(writer, tally))
            listener = try TapListener(path: "\(folder.path)/tap", sink: sink)
        } catch let error as StoreError {
            folder.remove()
            throw RunFailure(error)
        } catch let failure as TapListener.Failure {
            folder.remove()
            throw RunFailure(failure.message, status: 71)
        } catch {
            folder.remove()
            throw RunFailure("\(error)", status: 70)
        }
    }

    func run(_ program: Program, status: LiveStatus) throws(RunFailure) -> ProgramEnding {
        let child = try ChildProcess.start(
            program, environment: environment(for: program), blocked: signals.blocked, before: signals.before)
        defer { status.clear() }
        return child.wait(tick: { status.show(tally.progress) }, beforeStop: { status.clear() })
    }

    /// Takes what is still under way, and closes the file.
    func close() {
        listener.stop()
        do { try writer.finish() } catch { writeFailure = error as? StoreError }
        folder.remove()
    }

    func summary(of program: Program) -> RunSummary {
        RunSummary(
            report: TrafficReport(of: tally.totals, by: .api, losses: tally.losses),
            speakers: listener.speakers, program: program, storePath: storePath, writeFailure: writeFailure)
    }

    private func environment(for program: Program) -> Environment {
        var variables = Environment.current
        variables.set("WIREWEIGHT_SOCKET", to: "\(folder.path)/tap")
        variables.set("WIREWEIGHT_KEEP_BODY", to: keepBodies > 0 ? String(keepBodies) : nil)
        if program.obstacle?.forbidsPreload != true {
            let others = variables.value(of: "LD_PRELOAD") ?? ""
            variables.set("LD_PRELOAD", to: others.isEmpty ? library : "\(library):\(others)")
        }
        return variables
    }
}

/// Hands each event on to two sinks.
struct TeeSink: TrafficSink {
    let first: any TrafficSink
    let second: any TrafficSink

    init(_ first: any TrafficSink, _ second: any TrafficSink) {
        self.first = first
        self.second = second
    }

    func record(_ event: TrafficEvent) {
        first.record(event)
        second.record(event)
    }
}
