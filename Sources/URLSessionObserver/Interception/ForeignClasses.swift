#if canImport(ObjectiveC)
    internal import ObjectiveC
#endif

/// The protocol classes of a configuration that are neither ours nor the system's.
enum ForeignClasses {
    /// The classes without ours, and without those of other code if they have to go.
    static func removingOurs(from classes: [AnyClass], andOthers: Bool) -> [AnyClass] {
        classes.filter { !($0 is MeteringURLProtocol.Type) && (!andOthers || isSystems($0)) }
    }

    /// Whether the system brings the class with it.
    ///
    /// The default configuration's list does not say so: on Apple platforms other code may have added to it.
    private static func isSystems(_ type: AnyClass) -> Bool {
        #if canImport(ObjectiveC)
            guard let image = class_getImageName(type) else { return false }
            return ["CFNetwork", "Foundation"].contains(String(cString: image).split(separator: "/").last ?? "")
        #else
            return String(reflecting: type).hasPrefix("FoundationNetworking.")
        #endif
    }
}
