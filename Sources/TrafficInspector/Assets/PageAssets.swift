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
        return try PageBundle(sources).assets()
    }

    /// The files of `Web`.
    static var sources: [String: String] {
        var count = 0
        let files = UnsafeBufferPointer(start: wwp_files(&count), count: count)
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
                return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
            })
    }
}
