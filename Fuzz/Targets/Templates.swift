import URLTemplates

extension FuzzTarget {
    /// URL templates from rules and from learning; each line of the input is a path.
    static let templates = FuzzTarget(
        name: "templates",
        seeds: {
            let users = (0..<14).map { "/users/u\($0)x/posts/\($0)" }.joined(separator: "\n")
            let words = ["ba", "ko", "mi", "ru", "te", "san"]
            let names = words.flatMap { one in words.map { "/shop/x\(one)\($0)/item" } }.joined(separator: "\n")
            return [
                users + "\n/users/me\n/users/latest/posts/7", names + "\n/shop/xbaba.json\n/shop\n/",
                "/a/3f2504e0-4f89-11d3-9a0c-0305e82c3301/2024-01-02/a@b.c\n/3/movie/550\n/api/1/x/%7Bid%7D\n/a//b/\n/é/日本",
                "/graphql?operationName=Feed&query=query%20Feed%7Ba%7D\n/graphql?query=mutation+Like($a:Int){b}\n/a;b=c/d,e,f\n*\nh:443",
                "/users/{user}/posts\n/users/1,2,3\n/(other paths)\n/…", "",
            ].map { .text($0) }
        },
        run: { input in
            let splits = Splits(input)
            let lines = String(decoding: splits.bytes, as: UTF8.self).split(separator: "\n").prefix(200)
            let rules = URLTemplate(limit: 64)
            let templates = try lines.map { line in
                let parts = line.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
                let template = rules.template(
                    of: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil)
                try mustHold(
                    !template.isEmpty && template.utf8.count <= 64, "a template of \(template.utf8.count) bytes")
                return template
            }
            try checkLearning(templates, seed: splits.seed)
        })

    private static func checkLearning(_ templates: [String], seed: UInt8) throws {
        var learned = TemplateTrie()
        for template in templates { _ = learned.learn(template) }
        let shown = templates.map { learned.template(of: $0) }
        try mustHold(learned.count == Set(shown).count, "\(learned.count) templates, and \(Set(shown).count) are shown")
        for text in shown {
            try mustHold(learned.template(of: text) == text, "'\(text)' is '\(learned.template(of: text))'")
        }
        // The templates must not depend on the order of the paths.
        var other = TemplateTrie()
        let turn = templates.isEmpty ? 0 : Int(seed) % templates.count
        for template in (templates[turn...] + templates[..<turn]).reversed() { _ = other.learn(template) }
        for (template, before) in zip(templates, shown) {
            let now = other.template(of: template)
            try mustHold(now == before, "'\(template)' is '\(before)', or in another order '\(now)'")
        }
        // They must be the same after a restart.
        var restored = TemplateTrie()
        for text in Set(shown).sorted() { restored.restore(text) }
        for (template, before) in zip(templates, shown) {
            let now = restored.template(of: template)
            try mustHold(now == before, "'\(template)' is '\(before)', and after a restart '\(now)'")
        }
    }
}
