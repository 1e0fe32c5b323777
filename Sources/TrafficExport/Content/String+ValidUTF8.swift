extension String {
    /// Makes a string of bytes, unless they are no UTF-8.
    init?(validUTF8 bytes: [UInt8]) {
        #if canImport(Darwin)
            // `init(validating:as:)` needs iOS 18 and macOS 15. This one replaces what is not valid.
            self.init(decoding: bytes, as: UTF8.self)
            guard utf8.elementsEqual(bytes) else { return nil }
        #else
            self.init(validating: bytes, as: UTF8.self)
        #endif
    }
}
