import Foundation
import WireweightTesting

/// Drives the corpus through the `curl` command, if need be as an argument of another one.
struct CurlDriver: Sendable {
    /// Where the origin is, such as `http://127.0.0.1:8080`.
    var address: String
    /// The address of a port on which no server listens.
    var closedAddress: String
    /// The words before `curl` on the command line, such as `["wireweight", "run", "--"]`.
    var prefix: [String] = []
    /// The authority to trust, in PEM.
    var certificateFile: String?

    /// Makes all copies of the case's request; one `curl` process for all of them.
    func run(_ entry: Corpus.Entry) throws -> [DrivenResult] {
        let command = prefix + ["curl"]
        guard let path = command[0].contains("/") ? command[0] : Tool.path(of: command[0]) else { return [] }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("corpus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copies = entry.corpusCase.copies
        let arguments = try arguments(for: entry, folder: folder)
        let result = try Tool.run(path, Array(command.dropFirst()) + arguments)
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        return (0..<copies).map { copy in
            let line = lines.first { $0.hasPrefix("corpus \(copy) ") }.map { $0.split(separator: " ") } ?? []
            let exit = line.count > 3 ? Int32(line[3]) ?? -1 : result.status
            var driven = DrivenResult()
            driven.status = line.count > 2 ? Int(line[2]).flatMap { $0 == 0 ? nil : $0 } : nil
            driven.setBody((try? Data(contentsOf: folder.appendingPathComponent("body-\(copy)"))) ?? Data())
            driven.error = exit == 0 ? nil : "curl \(exit)"
            driven.outcome = exit == 0 ? .completed(driven.status ?? 0) : exit == 28 ? .timedOut : .failed
            return driven
        }
    }

    private func arguments(for entry: Corpus.Entry, folder: URL) throws -> [String] {
        let corpusCase = entry.corpusCase
        let base = corpusCase.target == .closedPort ? closedAddress : address
        var result: [String] = ["-q"]
        if corpusCase.isConcurrent {
            result += ["-Z", "--parallel-immediate", "--parallel-max", "\(corpusCase.copies)"]
        }
        for copy in 0..<corpusCase.copies {
            if copy > 0 { result.append("--next") }
            result += ["-sS", "-g", "--max-time", "\(Double(corpusCase.timeoutMilliseconds ?? 20_000) / 1_000)"]
            result += ["-w", "corpus \(copy) %{http_code} %{exitcode}\n"]
            if !corpusCase.curlArguments.contains("-o") {
                result += ["-o", folder.appendingPathComponent("body-\(copy)").path]
            }
            if let certificateFile { result += ["--cacert", certificateFile] }
            for field in corpusCase.fields { result += ["-H", "\(field.name): \(field.value)"] }
            if corpusCase.hasCredential { result += ["-u", "user:pass"] }
            result += try bodyArguments(corpusCase, folder: folder) + corpusCase.curlArguments
            result.append(base + entry.target)
        }
        return result
    }

    private func bodyArguments(_ corpusCase: CorpusCase, folder: URL) throws -> [String] {
        let file = folder.appendingPathComponent("upload")
        try Data(Script.pattern(count: corpusCase.body.count)).write(to: file)
        // An explicit method sticks to a request through its redirects, so it is named only where curl would not
        // choose it.
        let method = ["-X", corpusCase.method]
        switch corpusCase.body {
        case .none: return corpusCase.method == "GET" ? [] : corpusCase.method == "HEAD" ? ["-I"] : method
        case .data: return ["--data-binary", "@\(file.path)"] + (corpusCase.method == "POST" ? [] : method)
        case .file: return ["-T", file.path] + (corpusCase.method == "PUT" ? [] : method)
        case .stream:
            return ["-T", file.path, "-H", "Transfer-Encoding: chunked"] + (corpusCase.method == "PUT" ? [] : method)
        }
    }
}
