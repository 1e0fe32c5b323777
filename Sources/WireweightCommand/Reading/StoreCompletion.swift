import ArgumentParser
import Foundation
import TrafficModel

/// Completes words of the command line from the file that it names, or from the last run.
enum StoreCompletion {
    /// The most words to offer.
    private static let most = 50

    /// Completes the file of `show` and the number of an exchange.
    static let exchange = CompletionKind.custom { words, index, prefix in
        let numbers = read(words, upTo: index) { reader in
            var numbers: [String] = []
            try reader.forEachHead(matching: ExchangeFilter(), order: .newestFirst, after: nil) { exchange in
                if exchange.id.description.hasPrefix(prefix) { numbers.append(exchange.id.description) }
                return numbers.count < most
            }
            return numbers
        }
        // After a file only its number is missing.
        return store(in: words, upTo: index) == nil ? numbers + files(prefix) : numbers
    }

    /// Completes an API: its method and template.
    static let api = CompletionKind.custom { words, index, _ in
        names(words, index, of: .api) { "\($0.method ?? "") \($0.template ?? "")" }
    }

    /// Completes a host.
    static let host = CompletionKind.custom { words, index, _ in names(words, index, of: .host) { $0.host ?? "" } }

    /// The heaviest APIs or hosts.
    private static func names(
        _ words: [String], _ index: Int, of grouping: TrafficGrouping, _ name: (TrafficTotal.Key) -> String
    ) -> [String] {
        let all = read(words, upTo: words.count) { reader in
            try reader.totals(by: grouping, in: .always)
                .sorted { $0.up.total.bytes + $0.down.total.bytes > $1.up.total.bytes + $1.down.total.bytes }
                .map { name($0.key) }
        }
        return Array(all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.prefix(most))
    }

    /// Reads the store that the words name, or the last run.
    ///
    /// - Returns: nothing if there is none, because a completion never complains.
    private static func read(
        _ words: [String], upTo index: Int, _ body: (any TrafficBrowsing) throws -> [String]
    ) -> [String] {
        guard let path = store(in: words, upTo: index) ?? KeptRuns()?.newest(1).first?.path else { return [] }
        return (try? body(openReader(path))) ?? []
    }

    /// The first word after the subcommand that names a database.
    private static func store(in words: [String], upTo index: Int) -> String? {
        words.prefix(index).dropFirst(2).map(plain).first { Files.isRegular($0) && Files.isDatabase($0) }
    }

    /// A word of the shell without its quotes and backslashes.
    private static func plain(_ word: String) -> String { word.filter { !"\\'\"".contains($0) } }

    /// The files and folders that start like this.
    private static func files(_ prefix: String) -> [String] {
        let start = plain(prefix)
        let folder = start.range(of: "/", options: .backwards).map { String(start[..<$0.upperBound]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return names.sorted().map { folder + $0 }
            .filter { $0.hasPrefix(start) && ($0.hasSuffix(".db") || Files.isFolder($0)) }
            .map { Files.isFolder($0) ? $0 + "/" : $0 }
    }
}
