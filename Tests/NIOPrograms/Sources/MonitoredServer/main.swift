import Answers
import Wireweight

// The same by a server that meters itself, for servers.py: MonitoredServer STORE FOLDER CLEAR SECURE.

let words = CommandLine.arguments
var configuration = TrafficMonitor.Configuration(store: words[1])
configuration.observers = [.streams]
// Before there is a second thread, as documented.
let monitor = try TrafficMonitor.start(configuration)
try await Answers(folder: words[2], clear: Int(words[3])!, secure: Int(words[4])!).serve()
await monitor.flush()
monitor.stop()
