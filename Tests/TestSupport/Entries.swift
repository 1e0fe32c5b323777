import TrafficModel

/// Counts what stands in all collections of a value, by reflection: so that a new table is counted, too.
public enum Entries {
    /// How many there are.
    public static func count(in value: Any) -> Int { look(at: value, 0).count }

    /// The names of the collections that were found.
    public static func names(in value: Any) -> Set<String> { look(at: value, 0).names }

    // What a reader tells its traffic to is not the reader's memory.
    private static func isSink(_ value: Any) -> Bool { value is any TrafficSink }

    private static func look(at value: Any, _ depth: Int) -> (count: Int, names: Set<String>) {
        var (count, names) = (0, Set<String>())
        let mirror = Mirror(reflecting: value)
        for child in mirror.children.prefix(200) {
            let inner = Mirror(reflecting: child.value)
            switch inner.displayStyle {
            case .collection, .dictionary, .set:
                count += inner.children.count
                if let label = child.label { names.insert(label) }
            case .struct, .class, .optional, .tuple, .enum: break
            default: continue
            }
            guard depth < 6, !isSink(child.value), !(child.value is [UInt8]) else { continue }
            let found = look(at: child.value, depth + 1)
            count += found.count
            names.formUnion(found.names)
        }
        return (count, names)
    }
}
