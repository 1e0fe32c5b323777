#if !os(Linux)
    import Foundation

    /// What `--version` says of this system.
    enum Platform {
        static let text = ProcessInfo.processInfo.operatingSystemVersionString
        /// The command meters nothing here, so no libcurl matters.
        static let libcurl: String? = nil
    }
#endif
