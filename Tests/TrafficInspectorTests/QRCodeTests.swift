#if os(Linux)
    import Foundation
    import Testing

    @testable import TrafficInspector

    /// Codes as zbar reads them, which knows nothing of this encoder.
    @Suite(.timeLimit(.minutes(1)))
    struct QRCodeTests {
        private static let address = "http://192.168.178.21:40123/?token=kD3_r9-Xu0aB5cE7fG1hI2jK"
        /// Every length that fits: each version, with and without padding, and both of the last one's blocks.
        private static let texts =
            (1...134).map { String(String(repeating: address, count: 3).prefix($0)) }
            // Text without a mark of its encoding is what a reader guesses; addresses are ASCII.
            + ["重量", String(repeating: "\u{7F}", count: 60), String(repeating: " ~", count: 67)]

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg")))
        func everyTextThatFitsIsRead() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "codes-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var images: [String] = []
            for (index, text) in Self.texts.enumerated() {
                let code = try #require(QRCode(text), "\(text)")
                let image = folder.appending(path: "\(index).pgm")
                try Self.image(of: code.terminalLines).write(to: image)
                images.append(image.path)
            }
            let reader = Process()
            reader.executableURL = URL(fileURLWithPath: "/usr/bin/zbarimg")
            reader.arguments = ["--quiet", "--raw"] + images
            let output = Pipe()
            reader.standardOutput = output
            // It complains that it has no D-Bus.
            reader.standardError = FileHandle.nullDevice
            try reader.run()
            let read = output.fileHandleForReading.readDataToEndOfFile()
            reader.waitUntilExit()
            #expect(String(decoding: read, as: UTF8.self).split(separator: "\n").map(String.init) == Self.texts)
        }

        @Test func linesWithoutColoursAreTheSameCodeInverted() throws {
            let code = try #require(QRCode(Self.address))
            let inverted: [Character: Character] = ["█": " ", " ": "█", "▀": "▄", "▄": "▀"]
            let dark = code.terminalLines.map { $0.dropFirst("\u{1B}[30;107m".count).dropLast("\u{1B}[0m".count) }
            #expect(code.lightLines == dark.map { String($0.compactMap { inverted[$0] }) })
            #expect(code.lightLines.allSatisfy { $0.count == code.terminalWidth })
        }

        @Test func aTextThatDoesNotFitHasNoCode() {
            #expect(QRCode(String(repeating: "a", count: 134)) != nil)
            #expect(QRCode(String(repeating: "a", count: 135)) == nil)
            #expect(QRCode(String(repeating: "ü", count: 68)) == nil)
        }

        /// The lines as a camera sees them: each module of four by four pixels.
        private static func image(of lines: [String]) -> Data {
            let scale = 4
            let rows = lines.flatMap { line in
                let characters = line.dropFirst("\u{1B}[30;107m".count).dropLast("\u{1B}[0m".count)
                return [characters.map { "▀█".contains($0) }, characters.map { "▄█".contains($0) }]
            }
            var image = Data("P5 \(scale * (rows.first?.count ?? 0)) \(scale * rows.count) 255\n".utf8)
            for row in rows {
                let pixels = row.flatMap { Array(repeating: $0 ? UInt8(0) : 255, count: scale) }
                for _ in 0..<scale { image.append(contentsOf: pixels) }
            }
            return image
        }
    }
#endif
