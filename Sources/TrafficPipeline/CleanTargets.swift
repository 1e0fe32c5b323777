internal import TrafficModel

/// Requests' targets in which one pipeline has found no secret, each with its template.
///
/// A program requests the same paths again and again, so the rules are applied to each of them once. A target is added
/// only if redaction left its host, path, query and template unchanged, so no secret is ever in this memory. What it holds
/// follows from the rules of its pipeline.
///
/// The memory is bounded: each target has one place, by its path's length and last bytes, and replaces the one before.
struct CleanTargets {
    /// A target, and what the rules make of it.
    private struct Entry {
        var method: String
        var host: String
        var path: String
        var query: String?
        var template: String
        var isTemplateGiven: Bool

        func describes(_ request: borrowing RequestRecord) -> Bool {
            guard CleanTargets.haveSameBytes(path, request.path), CleanTargets.haveSameBytes(host, request.host),
                CleanTargets.haveSameBytes(method, request.method)
            else { return false }
            return CleanTargets.areSame(query, request.query)
        }
    }

    private static let places = 256
    /// The longest path or query that is remembered, in bytes.
    private static let longest = 1_024

    private var entries: [Entry?] = []

    /// Sets the template of a request whose target is known; returns whether it is.
    func apply(to request: inout RequestRecord) -> Bool {
        guard !entries.isEmpty else { return false }
        let place = Self.place(of: request)
        guard entries[place]?.describes(request) == true, let entry = entries[place] else { return false }
        request.template = entry.template
        request.isTemplateGiven = entry.isTemplateGiven
        return true
    }

    /// Remembers the target of a request, if the rules have left it as it was.
    ///
    /// - Parameters:
    ///   - request: the request after the rules.
    ///   - template: the template before redaction.
    ///   - original: the request before them.
    mutating func keep(_ request: borrowing RequestRecord, template: String, of original: borrowing RequestRecord) {
        guard Self.haveSameBytes(request.path, original.path), Self.areSame(request.query, original.query),
            Self.haveSameBytes(request.host, original.host), Self.haveSameBytes(request.template, template),
            request.path.utf8.count <= Self.longest,
            (request.query?.utf8.count ?? 0) <= Self.longest
        else { return }
        if entries.isEmpty { entries = Array(repeating: nil, count: Self.places) }
        entries[Self.place(of: request)] = Entry(
            method: request.method, host: request.host, path: request.path, query: request.query,
            template: request.template, isTemplateGiven: request.isTemplateGiven)
    }

    private static func areSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return haveSameBytes(left, right)
    }

    /// Whether two texts are the same bytes.
    ///
    /// `==` also holds for texts that are equivalent in Unicode: the Kelvin sign is a `K`, but not in the name of a
    /// secret.
    private static func haveSameBytes(_ left: String, _ right: String) -> Bool {
        let result = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                left.count == right.count
                    && CleanLines.areEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
        return result == .some(true)
    }

    /// A number below ``places``, from the lengths of path and query and the last eight bytes of each.
    private static func place(of request: borrowing RequestRecord) -> Int {
        var state: UInt64 = 0
        func mix(_ text: String) {
            let bytes = text.utf8
            var word: UInt64 = 0
            for byte in bytes.suffix(8) { word = word << 8 | UInt64(byte) }
            state = (state ^ word ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
            state ^= state >> 32
        }
        mix(request.path)
        if let query = request.query { mix(query) }
        return Int(truncatingIfNeeded: state >> 56)
    }
}
