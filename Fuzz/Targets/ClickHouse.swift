import ClickHouse
import RowBinary

extension FuzzTarget {
    /// The reader of ClickHouse's rows, the parser of a fleet's address, and the quotes around values.
    static let clickHouse = FuzzTarget(
        name: "clickhouse",
        seeds: {
            [
                "0\u{3}abc12345678\u{0}\u{1}\u{2}ab", "3clickhouse://[::1]:8123/d?service=a%20b&since=7d",
                "clickhouses://host/%C3%BC?version=2.3&until=2026-01-01", "it's a \\ and a \0", "",
            ].map { Array($0.utf8) }
        },
        run: { input in
            var reader = RowBinaryReader(input)
            while !reader.isAtEnd, !reader.isBroken {
                let before = reader.offset
                switch input[before] % 6 {
                case 0: _ = reader.int64()
                case 1: _ = reader.integer(Int16.self)
                case 2: try mustHold(reader.data().count <= input.count, "a text longer than the input")
                case 3: _ = reader.nullable { $0.text() }
                case 4:
                    let values = reader.array { $0.array { $0.uint8() } }
                    try mustHold(values.count <= input.count, "an array longer than the input")
                default: _ = reader.flag()
                }
                try mustHold(reader.isBroken || reader.offset > before, "nothing was read, and nothing is broken")
                try mustHold(reader.offset <= input.count, "read after the end")
            }
            let text = String(decoding: input, as: UTF8.self)
            if let url = try? FleetURL(text) {
                try mustHold((try? FleetURL(url.description)) == url, "the address is written as \(url)")
            }
            var quotes = 0
            var isEscaped = false
            for byte in SQLText.literal(text).utf8 {
                if byte == UInt8(ascii: "'"), !isEscaped { quotes += 1 }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            try mustHold(quotes == 2 && !isEscaped, "a literal with \(quotes) quotes")
        })
}
