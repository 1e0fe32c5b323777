/// The templates of many hosts: see ``TemplateTrie``.
package struct TemplateLearner: Sendable {
    private static let nodesOfAll = 65_536
    private let limits: TemplateLimits
    private var hosts: [String: TemplateTrie] = [:]
    private var size = 0

    /// A learner without templates.
    package init(_ limits: TemplateLimits = TemplateLimits()) { self.limits = limits }

    /// Adds a template that the rules have made of a path; returns the one under which to count.
    package mutating func learn(_ template: String, host: String) -> TemplateTrie.Outcome {
        guard size < Self.nodesOfAll || hosts[host] != nil else {
            return TemplateTrie.Outcome(template: TemplateLimits.overflow, hasMerged: false)
        }
        let before = hosts[host]?.size ?? 0
        let outcome = hosts[host, default: TemplateTrie(limits)].learn(template)
        size += (hosts[host]?.size ?? 0) - before
        return outcome
    }

    /// The template under which that one is counted at present.
    package func template(of template: String, host: String) -> String {
        hosts[host]?.template(of: template) ?? template
    }
}
