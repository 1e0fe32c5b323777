import CurlObserver
import Dispatch
import Foundation
import FoundationNetworking
import GRDBSQLite

/// Measures the costs of metering.
///
/// `all` measures everything and prints a table; the other arguments are for the processes that it starts.
@main
enum Main {
    // Not asynchronous, because an asynchronous main leaves its thread, and callgrind fails then.
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        Task.detached {
            do {
                try await run()
                exit(0)
            } catch {
                FileHandle.standardError.write(Data("WireweightBenchmarks: \(error)\n".utf8))
                exit(1)
            }
        }
        DispatchSemaphore(value: 0).wait()
    }

    private static func run() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        func number(_ index: Int) -> Int { words.count > index ? Int(words[index]) ?? 0 : 0 }
        func isMetered(_ index: Int) -> Bool { words.count > index && words[index] == "metered" }
        switch words.first {
        case "all": try Suite(scale: words.count > 1 ? Double(words[1]) ?? 1 : 1).run()
        case "overhead" where words.count == 2: try Overhead(scale: 1).run(words[1])
        case "others": try Suite(scale: words.count > 1 ? Double(words[1]) ?? 1 : 1).runOthers()
        case "writers": try Suite(scale: words.count > 1 ? Double(words[1]) ?? 1 : 1).runWriters()
        case "versions":
            // This loads libcurl if only Foundation is linked with it.
            _ = URLSession.shared
            let libcurl = CurlObserver.libcurlVersion.prefix { $0 != " " }
            print("\(libcurl), SQLite \(String(cString: sqlite3_libversion()))")
        case "serve": try CannedOrigin.serve(bodySize: number(1))
        case "client" where words.count == 6:
            let work = Client.Work(
                port: number(1), meter: Client.Meter(rawValue: words[2]) ?? .plain, concurrency: number(3),
                exchanges: number(4))
            try await Client.measure(work, beside: OtherProcess(words[5]))
        case "repeat" where words.count > 3:
            try Repeated.measure(Array(words[3...]), times: number(1), beside: OtherProcess(words[2]))
        case "grow": try await Client.grow(port: number(1), isMetered: isMetered(2), exchanges: number(3))
        case "body": try Caller.oneBody(port: number(1), isMetered: isMetered(2))
        case "caller": try Caller.measure(port: number(1), pairs: number(2), exchanges: number(3))
        case "writer":
            try Writer.measure(exchanges: number(1), hasUniqueLines: words.count > 2 && words[2] == "unique")
        case "soak-client" where words.count == 5:
            await SoakApp.call(address: words[1], name: words[2], rate: Double(number(3)), seconds: Double(number(4)))
        case "soak-app" where words.count == 7:
            try await SoakApp.run(
                store: words[1], address: words[2], rate: Double(number(3)), seconds: Double(number(4)),
                life: Double(number(5)), retention: Int64(number(6)))
        case "day": try DayTable.print(factor: words.count > 1 ? Double(words[1]) ?? 1 : 1)
        case "day-of" where words.count == 4:
            try Day.measure(words[1], hours: number(2), factor: Double(words[3]) ?? 1)
        case "overload" where words.count == 4:
            try Overload.measure(slow: words[1], fast: words[2], seconds: Double(words[3]) ?? 30)
        case "retention" where words.count == 3: try Retention.measure(words[1], share: Double(words[2]) ?? 0.05)
        case "make-store" where words.count == 3 || words.count == 4:
            try StoreMaker.make(words[1], exchanges: number(2), apis: words.count == 4 ? number(3) : 1_000)
        case "print-rows" where words.count == 2: StoreMaker.print(exchanges: number(1))
        default:
            print(
                """
                usage: WireweightBenchmarks all [SCALE] | overhead TEXT | others [SCALE] | writers [SCALE] | make-store FILE EXCHANGES [APIS] | print-rows EXCHANGES
                       WireweightBenchmarks overload SLOW-FILE FAST-FILE SECONDS | retention FILE SHARE
                """)
            exit(64)
        }
    }
}
