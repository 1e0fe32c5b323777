import Foundation
import FoundationNetworking

// The tap's internal functions, which its hooks call; they are not part of its interface.
@_silgen_name("wwt_find_libraries")
private func findLibraries() -> Int32
@_silgen_name("wwt_library_number")
private func libraryNumber(_ index: Int32) -> OpaquePointer?
@_silgen_name("wwt_easy_init")
private func tappedInit(_ library: OpaquePointer) -> OpaquePointer?
@_silgen_name("wwt_easy_setopt_noted")
private func tappedSetopt(
    _ library: OpaquePointer, _ easy: OpaquePointer, _ option: Int32, _ value: UnsafeRawPointer?
) -> Int32
@_silgen_name("wwt_easy_perform")
private func tappedPerform(_ library: OpaquePointer, _ easy: OpaquePointer) -> Int32

/// A libcurl handle whose transfers go through the tap or past it.
struct LibcurlHandle {
    private let library: OpaquePointer
    private let easy: OpaquePointer
    private let past: @convention(c) (OpaquePointer) -> Int32

    /// Makes a handle for an address; the content of the response is discarded.
    init(url: String) throws {
        // This loads libcurl if only Foundation is linked with it.
        _ = URLSession.shared
        guard findLibraries() > 0, let library = libraryNumber(0), let easy = tappedInit(library),
            let symbol = dlsym(dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD), "curl_easy_perform")
        else { throw Child.Failure(description: "no libcurl in this process") }
        self.library = library
        self.easy = easy
        past = unsafeBitCast(symbol, to: (@convention(c) (OpaquePointer) -> Int32).self)
        // CURLOPT_URL copies its string; CURLOPT_WRITEFUNCTION receives the content.
        _ = url.withCString { tappedSetopt(library, easy, 10_002, $0) }
        let discard: @convention(c) (UnsafeRawPointer?, Int, Int, UnsafeRawPointer?) -> Int = { _, size, count, _ in
            size * count
        }
        _ = tappedSetopt(library, easy, 20_011, unsafeBitCast(discard, to: UnsafeRawPointer.self))
    }

    /// Loads the address, through the tap or past it.
    func perform(tapped isTapped: Bool) throws {
        guard (isTapped ? tappedPerform(library, easy) : past(easy)) == 0 else {
            throw Child.Failure(description: "the origin is gone")
        }
    }
}
