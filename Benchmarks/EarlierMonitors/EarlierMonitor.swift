/// How another monitor computes sizes: its formula, restated as a fact, so that it can be measured on the same traffic.
package struct EarlierMonitor: Sendable {
    /// The parts of one message, in bytes; nil where the monitor leaves a part out.
    package struct Figures {
        package var startLine: Int64?
        package var fields: Int64?
        package var body: Int64?
    }

    package let name: String
    /// Nil where it does not weigh requests.
    package var request: (@Sendable (SeenExchange) -> Figures)?
    package let response: @Sendable (SeenExchange) -> Figures

    /// All that are measured.
    package static let all: [EarlierMonitor] = [
        .firstArticle, .secondArticle, .swiftArticle, .networkEye, .doKit, .netfox, .flex, .mtHawkeye,
    ]

    /// The size of lines of that shape.
    static func lines(_ fields: [SeenExchange.Field], between: String, end: String) -> Int64 {
        fields.reduce(0) { $0 + Int64(($1.name + between + $1.value + end).utf8.count) }
    }
}
