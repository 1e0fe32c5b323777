/// The formula by which another monitor computes sizes, rewritten here to measure it on the same traffic.
package struct EarlierMonitor: Sendable {
    /// The parts of one message in bytes; nil if the monitor leaves a part out.
    package struct Figures {
        package var startLine: Int64?
        package var fields: Int64?
        package var body: Int64?
    }

    package let name: String
    /// The formula for requests; nil if the monitor does not measure them.
    package var request: (@Sendable (SeenExchange) -> Figures)?
    package let response: @Sendable (SeenExchange) -> Figures

    /// All monitors that are measured.
    package static let all: [EarlierMonitor] = [
        .firstArticle, .secondArticle, .swiftArticle, .networkEye, .doKit, .netfox, .flex, .mtHawkeye,
    ]

    /// The size of the fields as lines with the given separators.
    static func lines(_ fields: [SeenExchange.Field], between: String, end: String) -> Int64 {
        fields.reduce(0) { $0 + Int64(($1.name + between + $1.value + end).utf8.count) }
    }
}
