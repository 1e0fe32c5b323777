import CaptureVerification

extension FuzzTarget {
    /// The reader of tshark's output: one line of fields for each packet.
    static let captureRows = FuzzTarget(
        name: "capture-rows",
        seeds: {
            let ends = "eth:ethertype:ip:tcp\t10.0.0.1\t10.0.0.2\t\t\t5000\t80"
            let back = "eth:ethertype:ip:tcp\t10.0.0.2\t10.0.0.1\t\t\t80\t5000"
            let version6 = "eth:ethertype:ipv6:tcp\t\t\tfd00::1\tfd00::2\t1\t2"
            return [
                "1.5\t\(ends)\t4294967295\t0\t0\t0x0002\n1.6\t\(back)\t7\t0\t0\t0x0012\n1.7\t\(ends)\t0\t8\t100\t0x0018\n"
                    + "1.7\t\(ends)\t50\t8\t100\t0x0018\n1.8\t\(back)\t8\t150\t3\t0x0011\n1.9\t\(ends)\t150\t12\t0\t0x0011\n",
                "1\t\(ends)\t9\t5\t9223372036854775807\t0x0010\n2\t\(ends)\t1\t5\t1\t0x0004\n",
                "1.123456789\t\(version6)\t1\t2\t3\t0x0010\n3\t\(version6)\t\t\t\t\nnonsense\n\t\t\t\t\t\t\t\t\t\t\t\n",
                "",
            ].map { Array($0.utf8) }
        },
        run: { input in
            var tally = CaptureTally()
            for line in String(decoding: input, as: UTF8.self).split(separator: "\n") { tally.add(CapturedRow(line)) }
            for connection in tally.connections {
                for side in [CapturedConnection.Side.first, .second] {
                    try mustHold(connection.payload(from: side) >= 0, "a payload below nothing")
                    try mustHold(connection.refused(from: side) >= 0, "refused less than nothing")
                    try mustHold(connection.missing(from: side) >= 0, "less than nothing is missing")
                }
                _ = (connection.hasBegin, connection.hasEnd)
            }
            let verification = CaptureVerification([], against: tally)
            try mustHold(!verification.isPassed, "nothing was metered, and that agrees")
            _ = verification.json
        })

    /// The reader of pcapng blocks.
    static let captureBlocks = FuzzTarget(
        name: "capture-blocks",
        seeds: {
            let order: [UInt8] = [0x4D, 0x3C, 0x2B, 0x1A]
            let section =
                [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0] + order + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [
                    28, 0, 0, 0,
                ]
            let interface: [UInt8] = [
                1, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 2, 0, 2, 0, 0x6C, 0x6F, 0, 0, 28, 0, 0, 0,
            ]
            let statistics: [UInt8] =
                [5, 0, 0, 0, 36, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 8, 0] + [9, 0, 0, 0, 0, 0, 0, 0] + [
                    36, 0, 0, 0,
                ]
            let packet: [UInt8] = [6, 0, 0, 0, 16, 0, 0, 0, 1, 2, 3, 4, 16, 0, 0, 0]
            let big: [UInt8] =
                [0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 28, 0x1A, 0x2B, 0x3C, 0x4D, 0, 1, 0, 0]
                + [UInt8](repeating: 0xFF, count: 8)
                + [0, 0, 0, 28, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFC]
            return [
                section + interface + packet + statistics + section + statistics, big,
                section + [5, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0],
            ]
            .map { [7] + $0 }
        },
        run: { input in
            let splits = Splits(input)
            _ = CaptureBlocks.Format(Array(splits.bytes.prefix(4)))
            let facts = try splits.sameForAll { try CaptureBlocks.facts(source: source($0)) }
            try mustHold((facts.dropped ?? 0) >= 0, "fewer packets dropped than none")
            let names = facts.interfaces.reduce(0) { $0 + $1.utf8.count }
            try mustHold(names <= 3 * splits.bytes.count, "names of \(names) bytes")
        })
}
