// A program on URLSession that knows nothing of the meter: fetch ADDRESS COUNT.
import Foundation
import FoundationNetworking

let address = CommandLine.arguments[1]
let count = Int(CommandLine.arguments[2]) ?? 1

func fetch(_ path: String, method: String = "GET", body: Data? = nil) async throws -> (Int, Int) {
    var request = URLRequest(url: URL(string: address + path)!)
    request.httpMethod = method
    request.httpBody = body
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data.count)
}

for number in 0..<count {
    print(try await fetch("/item/\(number)"))
    print(try await fetch("/pieces/\(number)"))
    print(try await fetch("/coded/gzip"))
    print(try await fetch("/redirect/2"))
    print(try await fetch("/echo/\(number)", method: "POST", body: Data(repeating: 65, count: 10_000)))
}
try await withThrowingTaskGroup(of: Int.self) { group in
    for number in 0..<count { group.addTask { try await fetch("/fill/\(number * 1_000)").1 } }
    print(try await group.reduce(0, +))
}
print(try Data(contentsOf: URL(string: address + "/hello")!).count)
// The session sends close_notify on a thread of Foundation, which the end of the program would interrupt.
try await Task.sleep(for: .milliseconds(200))
