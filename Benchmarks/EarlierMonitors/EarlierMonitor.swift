/// How another monitor computes sizes: its formula, restated as a fact, so that it can be measured on the same traffic.
struct EarlierMonitor: Sendable {
    /// The parts of one message, in bytes; nil where the monitor leaves a part out.
    struct Figures {
        var startLine: Int64?
        var fields: Int64?
        var body: Int64?
    }

    let name: String
    /// Nil where it does not weigh requests.
    var request: (@Sendable (SeenExchange) -> Figures)?
    let response: @Sendable (SeenExchange) -> Figures

    /// All that are measured.
    static let all: [EarlierMonitor] = [
        .firstArticle, .secondArticle, .swiftArticle, .networkEye, .doKit, .netfox, .flex, .mtHawkeye,
    ]

    /// The size of lines of that shape.
    static func lines(_ fields: [SeenExchange.Field], between: String, end: String) -> Int64 {
        fields.reduce(0) { $0 + Int64(($1.name + between + $1.value + end).utf8.count) }
    }
}
