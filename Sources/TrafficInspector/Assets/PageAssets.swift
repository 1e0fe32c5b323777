/// The files of the page.
enum PageAssets {
    struct Asset: Sendable {
        let type: String
        let tag: String
        let bytes: [UInt8]
    }

    static let all: [String: Asset] = [:]
}
