import CurlObserver
import Foundation
import MachineExamination
import TrafficInspector
import TrafficModel
import TrafficPipeline
import TrafficReports
import TrafficStore
import URLTemplates
import Wireweight
import WireweightInspector

/// The parts of one metered run: the socket, the store, the sums and the page.
final class RunSession {
    private let folder: PrivateFolder
    private let recorder: Recorder
    private var page: InspectorHost?
    /// What the page can open beside the run's file.
    private var files: InspectedFiles?
    private let tally = TrafficTally()
    private let listener: TapListener
    /// Of a proxy.
    private let devices: DeviceSink?
    private let proxy: ProxyChannel?
    private let library: String
    private let storePath: String?
    /// Whether the user chose the file.
    private let isNamed: Bool
    private let keepBodies: Int
    private let digests: Bool
    private let onlyLibcurl: Bool
    /// The file with the keys of TLS; nil if none is read.
    private let keyLog: String?
    private let projectPath: String?
    private let choosesHosts: Bool
    private let signals: (blocked: sigset_t, before: sigset_t)
    private var writeFailure: StoreError?

    init(
        storePath: String?, isNamed: Bool, keepBodies: Int, digests: Bool, onlyLibcurl: Bool, tlsKeys: Bool = false,
        rules: TrafficPipeline.Rules, choosesHosts: Bool, projectPath: String?, keepsSearchIndex: Bool,
        proxy: ProxyChannel? = nil, deviceNetwork: String? = nil
    ) throws(RunFailure) {
        self.storePath = storePath
        self.isNamed = isNamed
        self.keepBodies = keepBodies
        self.digests = digests
        self.onlyLibcurl = onlyLibcurl
        self.projectPath = projectPath
        self.choosesHosts = choosesHosts
        self.proxy = proxy
        library = try PreloadLibrary.find()
        signals = ChildProcess.blockSignals()
        folder = try PrivateFolder()
        keyLog = tlsKeys ? Self.keyLog(in: folder) : nil
        do {
            var settings = Recorder.Settings(store: storePath ?? "\(folder.path)/traffic.db")
            settings.resource = .known()
            settings.rules = rules
            settings.writing.keepsSearchIndex = keepsSearchIndex
            settings.copy = tally
            recorder = try Recorder(settings)
            let target = recorder
            devices = proxy.map {
                DeviceSink(target.input, network: deviceNetwork, channel: $0, keeps: target.keeps)
            }
            listener = try TapListener(
                path: "\(folder.path)/tap", sink: devices ?? recorder.input, keyLog: keyLog, digests: digests)
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

    /// The file of `SSLKEYLOGFILE`: the user's own, which is only read, or one in the run's private folder.
    private static func keyLog(in folder: PrivateFolder) -> String {
        if let own = Environment.current.value(of: "SSLKEYLOGFILE"), !own.isEmpty { return own }
        let path = "\(folder.path)/keys"
        // Those that the program starts may have another umask, so the file is there before.
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        return path
    }

    func run(_ program: Program, status: LiveStatus) throws(RunFailure) -> ProgramEnding {
        let child = try ChildProcess.start(
            program,
            environment: .metered(
                by: program.obstacle?.forbidsPreload == true ? nil : library, socket: "\(folder.path)/tap",
                keepBodies: keepBodies, digests: digests, onlyLibcurl: onlyLibcurl,
                keyLog: keyLog),
            blocked: signals.blocked, before: signals.before)
        proxy?.hasStarted()
        defer { status.clear() }
        return child.wait(tick: { status.show(tally) }, beforeStop: { status.clear() })
    }

    /// Serves a page that shows the run in a browser.
    func inspect(port: UInt16) throws(RunFailure) {
        // A page should show exchanges soon after they end.
        recorder.lowerLatency()
        do {
            var options = Inspector.Options()
            let files = InspectedFiles(beside: storePath)
            self.files = files
            options.port = port
            options.files = files
            options.devices = proxy
            options.file = storePath
            options.name = isNamed ? storePath?.split(separator: "/").last.map(String.init) ?? "" : "this run"
            let page = try InspectorHost(
                try openReader(file, searchesOften: true), control: recorder, options: options)
            self.page = page
            page.announce()
        } catch {
            listener.stop()
            try? recorder.finish()
            folder.remove()
            // No program runs yet, so the command takes its signals again, with those that came meanwhile.
            var before = signals.before
            sigprocmask(SIG_SETMASK, &before, nil)
            throw RunFailure("\(error)", status: (error as? InspectorError) == nil ? 70 : 69)
        }
    }

    /// Why the file is incomplete; nil if it is complete.
    private var incompleteness: String? {
        if let writeFailure { return writeFailure.message }
        let dropped = recorder.dropped
        return dropped == 0 ? nil : "\(dropped) events could not be written in time; check the disk"
    }

    private var file: String { storePath ?? "\(folder.path)/traffic.db" }

    /// Takes the events that are still in the socket, and writes them into the file.
    func finish() {
        listener.stop()
        devices?.finish()
        do { try recorder.finish() } catch { writeFailure = error as? StoreError }
    }

    /// Keeps the page open until the user presses Ctrl-C; returns at once if standard error is not a terminal.
    func holdPage() {
        guard page != nil, isatty(STDERR_FILENO) == 1 else { return }
        Terminal.note("the program has ended; Ctrl-C closes the page")
        var wanted = sigset_t()
        sigemptyset(&wanted)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&wanted, number) }
        var number: Int32 = 0
        // These signals have been blocked since the start.
        sigwait(&wanted, &number)
    }

    /// Finishes the file, stops the page, and removes the folder.
    func close() {
        finish()
        page?.stop()
        files?.remove()
        folder.remove()
    }

    private var reports: DirectedReports {
        DirectedReports(of: tally.totals, by: .api, losses: tally.losses, ledger: tally.ledgerCoverage(of:))
    }

    /// What a proxy passed on.
    func passedOn(of program: String?) -> ProxySummary {
        ProxySummary(
            reports: reports, unseen: tally.unseen, program: program, storePath: storePath, isNamed: isNamed,
            incompleteness: incompleteness, choosesHosts: choosesHosts)
    }

    func summary(of program: Program) -> RunSummary {
        var unmetered = listener.unmetered
        if let reason = program.obstacle?.reason {
            unmetered.add(UnmeteredProgram(path: program.path.shown, reason: reason))
        }
        return RunSummary(
            reports: reports, processes: listener.processes, missed: UnmeteredTraffic(unmetered, tally.unseen),
            lookups: tally.lookups, program: program, storePath: storePath, isNamed: isNamed, onlyLibcurl: onlyLibcurl,
            incompleteness: incompleteness, choosesHosts: choosesHosts, projectPath: projectPath)
    }
}
