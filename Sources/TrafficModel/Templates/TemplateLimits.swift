/// When a position of paths becomes a parameter, and how much is remembered for that.
package struct TemplateLimits: Hashable, Sendable {
    /// The template of all paths for which a host has no room: no path begins like that.
    package static let overflow = "(other paths)"

    /// How many templates a host may have; what comes later is counted under ``overflow``.
    package var templates: Int
    /// How many different values that look made up (with a digit, say) a position may have.
    package var values = 12
    /// How many different values of any kind a position may have.
    package var words = 32
    /// How many positions are remembered of a host.
    package var nodes = 8_192

    /// The usual, with that many templates a host.
    package init(templates: Int = 1_000) { self.templates = max(1, templates) }
}
