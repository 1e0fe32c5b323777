import TrafficModel

/// Counts what stands in the collections of a value, by reflection: so that a new table is counted, too.
public enum Entries {
    /// How many there are, by the name of the collection.
    public static func counts(in value: Any) -> [String: Int] {
        var counts: [String: Int] = [:]
        look(at: value, 0, &counts)
        return counts
    }

    // What a reader tells its traffic to is not the reader's memory.
    private static func isSink(_ value: Any) -> Bool { value is any TrafficSink }

    private static func look(at value: Any, _ depth: Int, _ counts: inout [String: Int]) {
        // Of large collections the first elements tell enough.
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
