import CurlObserver
import Foundation
import FoundationNetworking
import Wireweight

// The tap's own way into libcurl, which its hooks take; not part of its interface, for only the hooks call it.
@_silgen_name("wwt_library_number")
private func library(_ index: Int32) -> OpaquePointer?
@_silgen_name("wwt_easy_init")
private func tappedInit(_ library: OpaquePointer) -> OpaquePointer?
@_silgen_name("wwt_easy_setopt")
private func tappedSetopt(
    _ library: OpaquePointer, _ easy: OpaquePointer, _ option: Int32, _ value: UnsafeRawPointer?
) -> Int32
@_silgen_name("wwt_easy_perform")
private func tappedPerform(_ library: OpaquePointer, _ easy: OpaquePointer) -> Int32

/// What the tap takes of a program's own thread: one libcurl handle, one connection, one thread.
///
/// Blocks of exchanges that go through the tap alternate with blocks that go past it, on the same handle; the thread's
/// own processor clock tells what the difference is. All is in it that the tap causes there: its hooks, its copies,
/// libcurl's verbose mode, the question to the kernel.
enum Caller {
    /// Prints for each pair of blocks the nanoseconds of an exchange without the tap, and with it.
    static func measure(port: Int, pairs: Int, exchanges: Int) throws {
        let store = NSTemporaryDirectory() + "wireweight-benchmark-\(getpid()).db"
        // Loads libcurl where only Foundation names it.
        _ = URLSession.shared
        let monitor = try TrafficMonitor.start(TrafficMonitor.Configuration(store: store))
        guard let library = library(0), let easy = tappedInit(library),
            let symbol = dlsym(dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD), "curl_easy_perform")
        else { throw Child.Failure(description: "no libcurl in this process") }
        let perform = unsafeBitCast(symbol, to: (@convention(c) (OpaquePointer) -> Int32).self)

        // CURLOPT_URL copies; CURLOPT_WRITEFUNCTION takes the content, which is not looked at.
        _ = "http://127.0.0.1:\(port)/v1/items?page=1".withCString { tappedSetopt(library, easy, 10_002, $0) }
        let discard: @convention(c) (UnsafeRawPointer?, Int, Int, UnsafeRawPointer?) -> Int = { _, size, count, _ in
            size * count
        }
        _ = tappedSetopt(library, easy, 20_011, unsafeBitCast(discard, to: UnsafeRawPointer.self))

        func block(_ body: () -> Int32) throws -> Int64 {
            let start = Usage.thread
            for _ in 0..<exchanges where body() != 0 { throw Child.Failure(description: "the origin is gone") }
            return (Usage.thread - start) / Int64(exchanges)
        }
        _ = try block { perform(easy) }
        _ = try block { tappedPerform(library, easy) }
        for pair in 0..<pairs {
            var without = pair % 2 == 0 ? try block { perform(easy) } : 0
            let with = try block { tappedPerform(library, easy) }
            if pair % 2 == 1 { without = try block { perform(easy) } }
            print(without, with)
        }
        monitor.stop()
        guard monitor.droppedEvents == 0 else { throw Child.Failure(description: "events were dropped") }
        for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    }
}
