import Foundation
import HTTPWire

/// The libcurl that Foundation has loaded.
enum LoadedCurl {
    /// Its words about itself, such as `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13`.
    static let version: String = {
        guard let symbol = dlsym(nil, "curl_version") ?? dlsym(dlopen("libcurl.so.4", RTLD_NOW), "curl_version") else {
            return ""
        }
        typealias Function = @convention(c) () -> UnsafePointer<CChar>?
        return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) } ?? ""
    }()
}

/// The zlib of the system, by its stable binary interface: the tests need no headers of it.
final class LoadedZlib: BodyCompressor {
    /// `z_stream` on a machine of 64 bits.
    private struct Stream {
        var nextIn: UnsafePointer<UInt8>?
        var availableIn: UInt32 = 0
        var totalIn: UInt = 0
        var nextOut: UnsafeMutablePointer<UInt8>?
        var availableOut: UInt32 = 0
        var totalOut: UInt = 0
        var message: UnsafePointer<CChar>?
        var state: UnsafeMutableRawPointer?
        var allocate: UnsafeMutableRawPointer?
        var free: UnsafeMutableRawPointer?
        var opaque: UnsafeMutableRawPointer?
        var dataType: Int32 = 0
        var adler: UInt = 0
        var reserved: UInt = 0
    }

    private typealias Begin =
        @convention(c) (
            UnsafeMutableRawPointer, Int32, Int32, Int32, Int32, Int32, UnsafePointer<CChar>, Int32
        ) -> Int32
    private typealias Deflate = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    private typealias End = @convention(c) (UnsafeMutableRawPointer) -> Int32

    private let stream = UnsafeMutablePointer<Stream>.allocate(capacity: 1)
    private let deflate: Deflate
    private let end: End
    private var hasFailed = false

    /// Nil for codings that are not zlib's, and where there is no zlib.
    init?(coding: CompressedCoding, level: Int) {
        let windowBits: Int32
        switch coding {
        case .gzip: windowBits = 31
        case .deflate: windowBits = 15
        case .brotli, .zstandard: return nil
        }
        guard let library = dlopen("libz.so.1", RTLD_NOW), let begin = dlsym(library, "deflateInit2_"),
            let deflate = dlsym(library, "deflate"), let end = dlsym(library, "deflateEnd")
        else { return nil }
        self.deflate = unsafeBitCast(deflate, to: Deflate.self)
        self.end = unsafeBitCast(end, to: End.self)
        stream.initialize(to: Stream())
        let size = Int32(MemoryLayout<Stream>.size)
        guard unsafeBitCast(begin, to: Begin.self)(stream, Int32(level), 8, windowBits, 8, 0, "1.2", size) == 0 else {
            return nil
        }
    }

    deinit {
        _ = end(stream)
        stream.deallocate()
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        stream.pointee.nextIn = bytes.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.availableIn = UInt32(bytes.count)
        run(flush: 0)
    }

    func finish() -> Int64 {
        stream.pointee.availableIn = 0
        run(flush: 4)
        return hasFailed ? -1 : Int64(stream.pointee.totalOut)
    }

    private func run(flush: Int32) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
            repeat {
                stream.pointee.nextOut = buffer.baseAddress
                stream.pointee.availableOut = UInt32(buffer.count)
                if deflate(stream, flush) < -1 { hasFailed = true }
            } while stream.pointee.availableOut == 0 && !hasFailed
        }
    }
}
