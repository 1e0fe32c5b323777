internal import Foundation

/// What a program got of one call.
package struct CallResult: Hashable, Sendable {
    /// The status; nil if the call failed.
    package var status: Int?
    /// The bytes of the content that reached the program.
    package var bytes: Int64
    /// The domain and the code of the error; nil if there was none.
    package var error: String?

    init(status: Int? = nil, bytes: Int64 = 0, error: (any Error)? = nil) {
        self.status = status
        self.bytes = bytes
        self.error = (error as NSError?).map { "\($0.domain) \($0.code)" }
    }

    /// The result in a few words, such as `200, 512 bytes`.
    package var text: String { error ?? "\(status ?? 0), \(bytes) bytes" }
}
