internal import CInspectorPage

/// The files of the page, as they are served.
enum PageAssets {
    /// The files by their names, made when the first one is requested.
    ///
    /// Empty if the modules cannot be joined; a test makes sure that they can.
    static let all: [String: PageAsset] = (try? made()) ?? [:]

    static func made() throws(PageBundle.Refusal) -> [String: PageAsset] {
        var sources = sources
        sources["server-english.js"] = ServerEnglish.module
        return try PageBundle(sources, fonts: fonts).assets()
    }

    /// The texts of `Web`.
    static var sources: [String: String] {
        files.filter { !$0.key.hasSuffix(fontEnd) }.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// The fonts of `Web`.
    static var fonts: [String: [UInt8]] { files.filter { $0.key.hasSuffix(fontEnd) } }

    private static let fontEnd = ".woff2"

    private static var files: [String: [UInt8]] {
        var count = 0
        let files = UnsafeBufferPointer(start: wwp_files(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
            })
    }
}
