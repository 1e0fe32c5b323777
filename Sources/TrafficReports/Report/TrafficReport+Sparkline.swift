import TextFormats
import TrafficModel

extension TrafficReport {
    private static let bars = Array("▁▂▃▄▅▆▇█")

    /// The traffic over time in two lines, requests and bytes; empty if there are fewer than two slots.
    func sparklines(_ style: TextStyle) -> String {
        guard let timeline, timeline.slots.count > 1, let first = timeline.slots.first, let last = timeline.slots.last
        else { return "" }
        let requests = timeline.slots.map(\.requests)
        let bytes = timeline.slots.map { ($0.up + $0.down).bytes }
        let most = [
            "at most \(Units.count(requests.max() ?? 0))", "at most \(Units.bytes(ByteCount(bytes.max() ?? 0)))",
        ]
        let lines = zip(["Requests", "Bytes   "], [requests, bytes]).map { "\($0)  \(Self.bars(of: $1))" }
        let ends = [first, last].map { $0.begin.minuteText(in: style.zone) }.joined(separator: " to ")
        let span = "\(ends) \(style.zone.name), \(Self.name(of: timeline.step)) a bar"
        // The largest value goes beside the bars if there is room; otherwise it is left out.
        let described = zip(lines, most).map { line, most in
            TerminalText.width(line) + 2 + most.count <= style.width ? "\(line)  \(most)" : line
        }
        return described.joined(separator: "\n") + "\n"
            + TerminalText.wrapped(span, to: style.width).map { style.dim($0) + "\n" }.joined()
    }

    /// The number of slots that fit a terminal of that width beside their title.
    package static func slots(fitting width: Int) -> Int { max(2, min(mostSlots, width - 10)) }

    /// The largest number of slots.
    package static let mostSlots = 60

    /// A bar for each value, as high as its share of the largest value; a blank for 0.
    static func bars(of values: [Int64]) -> String {
        let largest = values.max() ?? 0
        return String(
            values.map { value in
                guard value > 0, largest > 0 else { return " " }
                let step = Int((Double(value) / Double(largest) * Double(bars.count)).rounded(.up)) - 1
                return bars[max(0, min(bars.count - 1, step))]
            })
    }

    private static func name(of step: Int64) -> String {
        let minutes = step / 60_000_000_000
        if minutes % 1_440 == 0 { return "\(minutes / 1_440) d" }
        if minutes % 60 == 0 { return "\(minutes / 60) h" }
        return "\(minutes) min"
    }
}
