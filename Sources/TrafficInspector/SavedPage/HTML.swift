/// HTML that is made of elements: text is always escaped, so that captured bytes never become markup.
struct HTML: Sendable, ExpressibleByStringLiteral {
    /// The markup.
    let markup: String

    /// Text, with the characters escaped that HTML would read as markup.
    init(text: String) {
        var markup = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            // Controls are no text of HTML, and directions of writing could show a row as another.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                markup += "\u{FFFD}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
        self.markup = markup
    }

    init(stringLiteral text: String) { self.init(text: text) }

    /// An element with attributes and children.
    init(_ tag: String, _ attributes: KeyValuePairs<String, String>, _ children: [HTML]) {
        var markup = "<\(tag)"
        for (name, value) in attributes { markup += " \(name)=\"\(HTML(text: value).markup)\"" }
        markup += ">"
        for child in children { markup += child.markup }
        self.markup = markup + "</\(tag)>"
    }

    /// An element with attributes that has text alone.
    init(_ tag: String, _ attributes: KeyValuePairs<String, String>, _ text: String) {
        self.init(tag, attributes, [HTML(text: text)])
    }

    /// An element with children.
    init(_ tag: String, _ children: [HTML]) { self.init(tag, [:], children) }

    /// An element that has text alone.
    init(_ tag: String, _ text: String) { self.init(tag, [:], [HTML(text: text)]) }

    /// The style sheets of the project itself, which are trusted.
    init(styles: String) { markup = "<style>\n\(styles)</style>" }
}
