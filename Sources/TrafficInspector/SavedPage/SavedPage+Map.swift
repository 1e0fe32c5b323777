internal import TextFormats
internal import TrafficModel
internal import TrafficReports

extension SavedPage {
    private static let width = 1160.0
    private static let height = 460.0
    /// The most APIs that have an area of their own.
    private static let mostAreas = 80

    private struct Part {
        let name: String
        let title: String
        let bytes: Int64
    }

    /// Where the bytes go, as areas: host, then API, then part.
    func map(of report: TrafficReport, _ namesDirection: Bool) -> [HTML] {
        let rows = report.rows.filter { $0.bytes > .zero }
        let shown = rows.sorted { $0.bytes > $1.bytes }.prefix(Self.mostAreas)
        let hosts = Dictionary(grouping: shown) { $0.key.host ?? "" }
            .map { (host: $0.key, apis: $0.value, bytes: Double($0.value.reduce(0) { $0 + $1.bytes.bytes })) }
            .sorted { ($0.bytes, $1.host) > ($1.bytes, $0.host) }
        let whole = SquareAreas.Box(x: 0, y: 0, width: Self.width, height: Self.height)
        var areas: [HTML] = []
        for (host, box) in zip(hosts, SquareAreas.boxes(of: hosts.map(\.bytes), in: whole)) {
            areas.append(Self.text(host.host, in: box.inset(by: 1), at: 14))
            let inner = box.inset(by: 1, top: 18)
            for (api, box) in zip(
                host.apis, SquareAreas.boxes(of: host.apis.map { Double($0.bytes.bytes) }, in: inner))
            {
                areas.append(Self.area(of: api, in: box.inset(by: 1)))
            }
        }
        let view = "0 0 \(Int(Self.width)) \(Int(Self.height))"
        let legend = Self.parts(of: report.totals).filter { $0.bytes > 0 }.map { part in
            HTML(
                "span",
                [
                    HTML("i", ["class": "p-\(part.name)"], ""),
                    HTML(text: "\(part.title) \(Units.bytes(ByteCount(part.bytes)))"),
                ])
        }
        return [
            HTML("h2", "Where the bytes go" + Self.suffix(report, namesDirection)),
            HTML(
                "svg", ["viewBox": view, "role": "img", "aria-label": "Bytes by host, API and part"], areas),
            HTML("p", ["class": "legend"], legend),
        ]
    }

    private static func area(of api: TrafficTotal, in box: SquareAreas.Box) -> HTML {
        let parts = parts(of: api).filter { $0.bytes > 0 }.sorted { $0.bytes > $1.bytes }
        var children = [HTML("title", "\(name(of: api.key)): \(Units.bytes(api.bytes))")]
        for (part, box) in zip(parts, SquareAreas.boxes(of: parts.map { Double($0.bytes) }, in: box)) {
            children.append(
                HTML(
                    "rect",
                    [
                        "class": "p-\(part.name)", "x": number(box.x), "y": number(box.y),
                        "width": number(box.width), "height": number(box.height),
                    ],
                    [HTML("title", "\(name(of: api.key)), \(part.title): \(Units.bytes(ByteCount(part.bytes)))")]))
        }
        if box.height > 18 {
            children.append(text("\(api.key.method ?? "") \(api.key.template ?? "")", in: box, at: 14, isOnParts: true))
        }
        return HTML("g", children)
    }

    /// A text that is cut where its box ends; nothing if the box is too narrow.
    private static func text(
        _ text: String, in box: SquareAreas.Box, at height: Double, isOnParts: Bool = false
    ) -> HTML {
        // About 6.5 units a character at 11 pixels.
        let room = Int((box.width - 8) / 6.5)
        guard room >= 4 else { return HTML("g", []) }
        let shown = TerminalText.elided(text, to: room)
        let words = HTML("text", ["x": number(box.x + 4), "y": number(box.y + height)], shown)
        guard isOnParts else { return words }
        // The parts below it have different colours, so the text brings its own ground.
        let width = min(box.width - 2, Double(shown.count) * 6.5 + 6)
        let ground = HTML(
            "rect",
            [
                "class": "ground", "x": number(box.x + 1), "y": number(box.y + height - 12),
                "width": number(width), "height": "16", "rx": "3",
            ], "")
        return HTML("g", [ground, words])
    }

    /// The parts that add up, both directions together: headers without cookies.
    private static func parts(of total: TrafficTotal) -> [Part] {
        func sum(_ part: (PartTotals) -> ByteCount) -> Int64 { part(total.up).bytes + part(total.down).bytes }
        let cookies = sum(\.cookies)
        return [
            Part(name: "startLine", title: "Start line", bytes: sum(\.startLine)),
            Part(name: "fields", title: "Headers", bytes: sum(\.fields) - cookies),
            Part(name: "cookies", title: "Cookies", bytes: cookies),
            Part(name: "interim", title: "Interim", bytes: sum(\.interim)),
            Part(name: "body", title: "Body", bytes: sum(\.body)),
            Part(name: "framing", title: "Framing", bytes: sum(\.framing)),
        ]
    }

    /// A coordinate with one decimal.
    private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
