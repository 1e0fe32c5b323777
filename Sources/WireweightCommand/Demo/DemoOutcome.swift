import Foundation
import TextFormats
import TrafficModel
import TrafficReports

/// The result of the demo: the metered bytes, and those that the API counted itself.
struct DemoOutcome {
    /// Bytes in both directions; `up` is what the client sent.
    struct Bytes: Hashable {
        var up: Int64
        var down: Int64
    }

    let report: TrafficReport
    let exchanges: Int64
    let metered: Bytes
    let origin: Bytes
    /// Whether the API had finished writing when its count was taken.
    let isIdle: Bool
    /// The times when recording was paused from the page.
    var pauses: [DemoRecording.Pause] = []
    /// When the recording was last cleared from the page; nil for never.
    var clearedAt: Timestamp?

    /// The sum over both directions of the differences in bytes.
    var difference: Int64 { abs(metered.up - origin.up) + abs(metered.down - origin.down) }

    var isProven: Bool { difference == 0 && isIdle && (exchanges > 0 || !pauses.isEmpty || clearedAt != nil) }

    /// The part of the traffic that the comparison covers, if it does not cover all.
    private var scope: String {
        var text = ""
        if let clearedAt {
            text += "The recording was cleared at \(Self.time(clearedAt)); the proof covers what came after.\n"
        }
        let shown = pauses.prefix(5).map { pause in
            "from \(Self.time(pause.from)) " + (pause.to.map { "to \(Self.time($0))" } ?? "to the end")
        }
        if !shown.isEmpty {
            let more = pauses.count > shown.count ? " and \(pauses.count - shown.count) times more" : ""
            text += "Recording was paused \(shown.joined(separator: ", "))\(more); the proof covers the rest.\n"
        }
        return text
    }

    /// The time of day in the local time zone, as the user's clock shows it.
    private static func time(_ moment: Timestamp) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSince1970: Double(moment.nanoseconds) / 1e9))
    }

    func text(_ style: TextStyle, storePath: String?) -> String {
        func line(_ name: String, _ bytes: Bytes) -> String {
            let up = Units.count(bytes.up)
            let down = Units.count(bytes.down)
            return name.padding(to: 26) + up.padding(to: -14) + down.padding(to: -14) + "\n"
        }
        var text = report.table(style)
        text += "\nThe proof".padding(to: 27) + "bytes up".padding(to: -14) + "bytes down".padding(to: -14) + "\n"
        text += line("  metered", metered)
        text += line("  counted by the API", origin)
        text += line("  difference", Bytes(up: metered.up - origin.up, down: metered.down - origin.down))
        text += scope
        if !isIdle { text += "The API was still writing when its count was read; run the demo again.\n" }
        if difference != 0 {
            text +=
                "Not proven: \(Units.count(difference)) bytes differ. Run it again with '--db demo.db', "
                + "and look for sizes marked ~ in 'wireweight exchanges demo.db'.\n"
        }
        if let storePath {
            text += "\nSee each exchange: wireweight exchanges \(storePath)\n"
            text += "See what could be saved: wireweight audit \(storePath)\n"
        }
        return text
    }

    var json: String {
        func value(_ bytes: Bytes) -> JSONValue {
            .object([.init("up", .integer(bytes.up)), .init("down", .integer(bytes.down))])
        }
        return JSONValue.object([
            .init("exchanges", .integer(exchanges)),
            .init("apis", .integer(Int64(report.rows.count))),
            .init("metered", value(metered)),
            .init("origin", value(origin)),
            .init("difference", .integer(difference)),
            .init("proven", .bool(isProven)),
            .init("clearedAt", .text(clearedAt?.iso8601)),
            .init(
                "pauses",
                .array(
                    pauses.map {
                        .object([.init("from", .text($0.from.iso8601)), .init("to", .text($0.to?.iso8601))])
                    })),
            .init("report", .object(report.members)),
        ]).pretty + "\n"
    }
}

extension String {
    /// The text padded to a number of columns: left-aligned, or right-aligned if the number is negative.
    fileprivate func padding(to columns: Int) -> String {
        let space = String(repeating: " ", count: max(0, abs(columns) - count))
        return columns < 0 ? space + self : self + space
    }
}
