import TrafficModel

/// Counts the entries in a value's collections by reflection, so that collections added later are counted, too.
public enum Entries {
    /// Returns the number of entries by the name of the collection.
    public static func counts(in value: Any) -> [String: Int] {
        var counts: [String: Int] = [:]
        look(at: value, 0, &counts)
        return counts
    }

    // The sink of a reader is not part of the reader's memory.
    private static func isSink(_ value: Any) -> Bool { value is any TrafficSink }

    private static func look(at value: Any, _ depth: Int, _ counts: inout [String: Int]) {
        // The first elements of a large collection are enough to look at.
        for child in Mirror(reflecting: value).children.prefix(200) {
            let inner = Mirror(reflecting: child.value)
            switch inner.displayStyle {
            case .collection, .dictionary, .set: counts[child.label ?? "", default: 0] += inner.children.count
            case .struct, .class, .optional, .tuple, .enum: break
            default: continue
            }
            guard depth < 6, !isSink(child.value), !(child.value is [UInt8]) else { continue }
            look(at: child.value, depth + 1, &counts)
        }
    }
}
