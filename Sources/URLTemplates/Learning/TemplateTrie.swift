/// The templates of one host as a tree of segments, in which a position with many different values becomes a parameter.
///
/// Then the subtrees after these values are merged, which may make parameters of further positions. A position never
/// changes back, and each condition only grows with what was seen. So the templates depend on which paths were seen,
/// not on their order, as long as the host keeps within ``TemplateLimits/nodes``.
package struct TemplateTrie: Sendable {
    /// The result of adding a template.
    package struct Outcome: Hashable, Sendable {
        /// The template under which to count.
        package var template: String
        /// Whether positions became parameters, so that templates that were known before have changed.
        package var hasMerged: Bool
    }

    private struct Node {
        var children: [String: Int] = [:]
        /// The parameter's node for each ending of a file; empty if the position is no parameter.
        var parameters: [Substring: Int] = [:]
        var isParameter = false
        var words = 0
        var values = 0
        var isTemplate = false
    }

    private let limits: TemplateLimits
    private var nodes = [Node()]
    private var free: [Int] = []
    private var hasMerged = false
    /// How many templates there are.
    package private(set) var count = 0

    /// An empty tree.
    package init(_ limits: TemplateLimits = TemplateLimits()) { self.limits = limits }

    /// How many positions are in memory.
    package var size: Int { nodes.count - free.count }

    /// Adds a template that the rules have made of a path.
    package mutating func learn(_ template: String) -> Outcome {
        hasMerged = false
        let segments = Self.segments(template)
        guard insert(segments, isStored: false) else {
            return Outcome(template: TemplateLimits.overflow, hasMerged: hasMerged)
        }
        let (text, node) = walk(segments)
        guard let node, mark(node, isStored: false) else {
            return Outcome(template: TemplateLimits.overflow, hasMerged: hasMerged)
        }
        return Outcome(template: text, hasMerged: hasMerged)
    }

    /// Adds a template that an earlier ``learn(_:)`` returned; its learned parameters become parameters again.
    package mutating func restore(_ template: String) {
        let segments = Self.segments(template)
        guard template != TemplateLimits.overflow, insert(segments, isStored: true) else { return }
        if let node = walk(segments).node { _ = mark(node, isStored: true) }
    }

    /// The template under which that one is counted at present.
    package func template(of template: String) -> String {
        template == TemplateLimits.overflow ? template : walk(Self.segments(template)).text
    }

    /// The segments; an operation after a question mark is one more.
    private static func segments(_ template: String) -> [String] {
        var path = template[...]
        var operation: Substring?
        if let mark = template.utf8.firstIndex(of: UInt8(ascii: "?")) {
            path = template[..<mark]
            operation = template[mark...]
        }
        var segments: [String] = []
        var start = path.startIndex
        while let end = path.utf8[start...].firstIndex(of: UInt8(ascii: "/")) {
            segments.append(String(path[start..<end]))
            start = path.utf8.index(after: end)
        }
        segments.append(String(path[start...]))
        if let operation { segments.append(String(operation)) }
        return segments
    }

    private mutating func mark(_ node: Int, isStored: Bool) -> Bool {
        if nodes[node].isTemplate { return true }
        guard isStored || count < limits.templates else { return false }
        nodes[node].isTemplate = true
        count += 1
        return true
    }

    /// Returns false, and adds nothing, if there is no room.
    private mutating func insert(_ segments: [String], isStored: Bool) -> Bool {
        var node = 0
        var changed: Int?
        let hasRoom = size + segments.count <= limits.nodes
        for (index, segment) in segments.enumerated() {
            if isStored, index > 0, let end = TemplateSegment.parameterEnd(segment), !nodes[node].isParameter,
                segment[..<end] == TemplateSegment.parameter(behind: segments[index - 1])
            {
                makeParameter(node)
            }
            if nodes[node].isParameter, !TemplateSegment.isKept(segment) {
                let ending = TemplateSegment.ending(of: segment)
                if let next = nodes[node].parameters[ending] {
                    node = next
                } else {
                    guard hasRoom else { return false }
                    let next = makeNode()
                    nodes[node].parameters[Substring(String(ending))] = next
                    node = next
                }
            } else if let next = nodes[node].children[segment] {
                node = next
            } else {
                guard hasRoom else { return false }
                let next = makeNode()
                nodes[node].children[segment] = next
                // The part before the first slash of a text that is no path, as in `host:443` of CONNECT, is no
                // parameter.
                if index > 0 { count(segment, at: node) }
                // The positions below this one are new and have one child each.
                if changed == nil { changed = node }
                node = next
            }
        }
        if let changed, hasTooMany(changed) { makeParameter(changed) }
        return true
    }

    private func walk(_ segments: [String]) -> (text: String, node: Int?) {
        var text = ""
        var node: Int? = 0
        var before = ""
        for (index, segment) in segments.enumerated() {
            var shown = segment
            if let here = node, nodes[here].isParameter, !TemplateSegment.isKept(segment) {
                let ending = TemplateSegment.ending(of: segment)
                shown = TemplateSegment.parameter(behind: before) + ending
                node = nodes[here].parameters[ending]
            } else {
                node = node.flatMap { nodes[$0].children[segment] }
            }
            if index > 0, segment.utf8.first != UInt8(ascii: "?") { text += "/" }
            text += shown
            before = shown
        }
        return (text, node)
    }

    // MARK: Merging

    private mutating func count(_ segment: String, at node: Int) {
        switch TemplateSegment(segment) {
        case .word: nodes[node].words += 1
        case .value: nodes[node].values += 1
        case .kept, .ruled, .language: break
        }
    }

    private func hasTooMany(_ node: Int) -> Bool {
        let node = nodes[node]
        return !node.isParameter && (node.values > limits.values || node.words + node.values > limits.words)
    }

    /// Makes a position a parameter: from now on, all segments that are not kept share one node for each ending.
    private mutating func makeParameter(_ node: Int) {
        hasMerged = true
        let children = nodes[node].children
        nodes[node].isParameter = true
        nodes[node].children = children.filter { TemplateSegment.isKept($0.key) }
        for (segment, child) in children where !TemplateSegment.isKept(segment) {
            place(child, as: TemplateSegment.ending(of: segment), at: node)
        }
    }

    private mutating func place(_ child: Int, as ending: Substring, at node: Int) {
        if let there = nodes[node].parameters[ending] {
            merge(child, into: there)
        } else {
            nodes[node].parameters[Substring(String(ending))] = child
        }
    }

    private mutating func merge(_ source: Int, into target: Int) {
        let gone = nodes[source]
        nodes[source] = Node()
        free.append(source)
        if gone.isTemplate {
            if nodes[target].isTemplate { count -= 1 } else { nodes[target].isTemplate = true }
        }
        if gone.isParameter, !nodes[target].isParameter { makeParameter(target) }
        for (ending, child) in gone.parameters { place(child, as: ending, at: target) }
        for (segment, child) in gone.children {
            if nodes[target].isParameter, !TemplateSegment.isKept(segment) {
                place(child, as: TemplateSegment.ending(of: segment), at: target)
            } else if let there = nodes[target].children[segment] {
                merge(child, into: there)
            } else {
                nodes[target].children[segment] = child
                count(segment, at: target)
            }
        }
        if hasTooMany(target) { makeParameter(target) }
    }

    private mutating func makeNode() -> Int {
        if let node = free.popLast() { return node }
        nodes.append(Node())
        return nodes.count - 1
    }
}
