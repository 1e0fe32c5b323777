internal import TextFormats
internal import TrafficExport
internal import TrafficModel

/// The contents of the store, and the actions that the page may offer.
struct Overview: Sendable {
    let reading: any TrafficBrowsing
    let control: (any RecordingControl)?
    let options: Inspector.Options
    /// A number that changes with the marks.
    let marks: Int64
    let files: OpenFiles

    var json: JSONValue {
        get throws {
            let overview = try reading.overview()
            let losses = overview.losses.map { loss in
                JSONValue.object([.init("reason", .string(loss.reason.rawValue)), .init("count", .integer(loss.count))])
            }
            return .object([
                .init("name", .string(options.name)), .init("file", options.file.map { .string($0) } ?? .null),
                .init("live", .bool(control != nil || overview.isBeingWritten)),
                .init("paused", .bool(control?.isPaused ?? false)),
                .init(
                    "can",
                    .object([
                        .init("pause", .bool(control != nil)), .init("clear", .bool(control != nil)),
                        .init("compare", .bool(files.canCompare)), .init("open", .bool(files.takesFiles)),
                        .init("copy", .bool(reading is any TrafficCopying)),
                    ])),
                .init("exchanges", .integer(overview.exchanges)), .init("running", .integer(overview.running)),
                .init("firstSeen", .moment(overview.firstSeen)), .init("lastSeen", .moment(overview.lastSeen)),
                .init("losses", .array(losses)), .init("version", .string(Producer.version)),
                .init("generation", .integer(try reading.state().generation)),
                .init("marks", .integer(marks)),
                .init("asking", .array((options.devices?.asking ?? []).map { .string($0) })),
                .init("directions", .array(try reading.directions().map { .string($0.rawValue) })),
            ])
        }
    }
}
