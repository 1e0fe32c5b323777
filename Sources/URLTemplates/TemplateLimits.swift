/// The limits at which a position of paths becomes a parameter, and those of the memory for it.
package struct TemplateLimits: Hashable, Sendable {
    /// The template of all paths for which a host has no room; no path begins like this.
    package static let overflow = "(other paths)"

    /// How many templates a host may have; later ones are counted under ``overflow``.
    package var templates: Int
    /// How many different values that look made up (with a digit, say) a position may have before it becomes a
    /// parameter.
    package var values = 12
    /// How many different values of any kind a position may have before it becomes a parameter.
    package var words = 32
    /// How many positions a host may have in memory.
    package var nodes = 8_192

    /// The default limits, with that number of templates for each host.
    package init(templates: Int = 1_000) { self.templates = max(1, templates) }
}
