import Requests
import Wireweight

// The same requests by a program that meters itself, for stacks.py: Monitored STORE early|late BASE PATH…
// `early`: before there is a second thread, as documented. `late`: once the client has its threads.

let words = CommandLine.arguments
var configuration = TrafficMonitor.Configuration(store: words[1])
configuration.observers = [.streams]

let monitor: TrafficMonitor
let requests: Requests
if words[2] == "early" {
    monitor = try TrafficMonitor.start(configuration)
    requests = Requests(base: words[3])
} else {
    requests = Requests(base: words[3])
    monitor = try TrafficMonitor.start(configuration)
}
await requests.make(words.dropFirst(4))
await monitor.flush()
monitor.stop()
