internal import ASCIIBytes
import Foundation
package import TrafficModel

/// Writes a curl command for each exchange; the command sends the same request again.
///
/// Secrets become shell variables, listed above the command. The command includes a body that was kept whole.
package struct CurlEncoder: ExchangeEncoder {
    /// Creates an encoder.
    package init() {}

    /// The command after its comment, then an empty line.
    package mutating func encode(_ exchange: StoredExchange) -> String {
        let command = CurlCommand(exchange.request, peer: exchange.end?.remoteAddress ?? "")
        var comment = "# exchange \(exchange.id)"
        if let status = exchange.response?.status, status > 0 { comment += ", answered with \(status)" }
        if !command.variables.isEmpty { comment += "; set \(command.variables.joined(separator: ", ")) first" }
        if let note = command.note { comment += "; \(note)" }
        return comment + "\n" + command.text + "\n\n"
    }
}

/// The curl command for one request.
struct CurlCommand {
    private(set) var text = ""
    /// The shell variables that stand for its secrets.
    private(set) var variables: [String] = []
    /// What the command leaves out, such as a body that was not kept; nil if it is complete.
    private(set) var note: String?

    /// Creates the command for a request that was sent to the address `peer`.
    init(_ request: RequestRecord, peer: String = "") {
        var names = VariableNames()
        if request.targetForm == .authority {
            tunnel(request, peer: peer, &names)
            return
        }
        var words = ["--globoff", "--path-as-is"]
        switch request.httpVersion.prefix(1) {
        case "2": words.append("--http2")
        case "3": words.append("--http3")
        default: words.append(request.httpVersion == "1.0" ? "--http1.0" : "--http1.1")
        }
        let (data, feed) = takeBody(of: request)
        words += Self.method(request.method, hasData: data != nil)
        let fields = request.fields.pairs.filter { Self.isWanted($0, request, hasData: data != nil) }
        for field in fields { words.append("--header " + Self.header(field, &names)) }
        words += Self.withoutOwnFields(fields, hasData: data != nil)
        if fields.contains(where: { $0.name.lowercased() == "accept-encoding" }) { words.append("--compressed") }
        if let data { words.append(data) }
        if request.targetForm == .asterisk || request.targetForm == .other {
            words.append("--request-target " + ShellWord.quoted(Self.target(of: request, &names)))
            words.append("--url " + ShellWord.quoted("\(request.scheme)://\(request.authority)/"))
        } else {
            let url = SecretPieces(Self.printable(request.url), fallback: "SECRET", names: &names)
            words.append("--url " + ShellWord.quoted(url.pieces))
        }
        variables = names.all
        text = feed + "curl " + words.joined(separator: " \\\n    ")
    }

    private static func target(of request: RequestRecord, _ names: inout VariableNames) -> [SecretPieces.Piece] {
        let text = request.path + (request.query.map { "?\($0)" } ?? "")
        return SecretPieces(printable(text), fallback: "SECRET", names: &names).pieces
    }

    // MARK: Tunnel

    /// Makes curl use the same proxy and tunnel: curl itself sends CONNECT before a request through the proxy.
    private mutating func tunnel(_ request: RequestRecord, peer: String, _ names: inout VariableNames) {
        var words = ["--globoff", "--head", "--proxytunnel"]
        let option = request.httpVersion == "1.0" ? "--proxy1.0" : "--proxy"
        let proxy: SecretPieces.Piece = peer.isEmpty ? .secret(names.variable(for: "proxy")) : .text("http://\(peer)")
        words.append("\(option) \(ShellWord.quoted([proxy]))")
        var hasAgent = false
        for field in request.fields.pairs where Self.isWanted(field, request, hasData: false) {
            switch field.name.lowercased() {
            case "proxy-connection", "host": continue
            case "user-agent": hasAgent = true
            default: break
            }
            words.append("--proxy-header " + Self.header(field, &names))
        }
        if !hasAgent { words.append("--proxy-header 'User-Agent:'") }
        words.append("--url " + ShellWord.quoted(Self.printable(request.url + "/")))
        variables = names.all
        note = "curl asks for the same tunnel and sends HEAD through it"
        text = "curl " + words.joined(separator: " \\\n    ")
    }

    // MARK: Body

    /// The option that gives curl the body, and the commands before curl that feed it.
    private mutating func takeBody(of request: RequestRecord) -> (data: String?, feed: String) {
        let size = request.size.body
        guard let body = request.capturedBody, body.count == Int(clamping: size.bytes.bytes), !body.isEmpty else {
            if size.bytes > .zero { note = "its body of \(size.bytes) bytes was not kept whole and is left out" }
            return (nil, "")
        }
        if !body.contains(0), let text = String(validUTF8: body) {
            return ("--data-raw \(ShellWord.quoted(text))", "")
        }
        return ("--data-binary @-", "echo '\(Data(body).base64EncodedString())' | base64 -d | ")
    }

    private static func method(_ method: String, hasData: Bool) -> [String] {
        switch method {
        case "", "GET": hasData ? ["--request GET"] : []
        case "HEAD" where !hasData: ["--head"]
        case "POST" where hasData: []
        default: ["--request \(ShellWord.quoted(printable(method)))"]
        }
    }

    // MARK: Fields

    /// Leaves out fields that curl creates from its other options, and lines that are not valid fields (RFC 9110,
    /// section 5.1).
    private static func isWanted(
        _ field: (name: String, value: String), _ request: RequestRecord, hasData: Bool
    ) -> Bool {
        let isToken =
            !field.name.isEmpty
            && field.name.utf8.allSatisfy {
                ASCII.isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
        guard isToken else { return false }
        switch field.name.lowercased() {
        case "host":
            let own = [request.host, request.authority, "\(request.host):\(request.port)"]
            return !own.contains(field.value.lowercased())
        case "content-length": return !hasData && field.value == "0"
        case "transfer-encoding": return hasData
        case "expect": return hasData
        default: return true
        }
    }

    private static func header(_ field: (name: String, value: String), _ names: inout VariableNames) -> String {
        // A semicolon means that the field has no value; with a colon, curl would leave it out.
        if field.value.isEmpty { return ShellWord.quoted("\(field.name);") }
        let isCookie = field.name.lowercased() == "cookie"
        let value = SecretPieces(
            printable(field.value), fallback: field.name, prefix: isCookie ? "cookie_" : "", names: &names)
        return ShellWord.quoted(merged([.text("\(field.name): ")] + value.pieces))
    }

    /// Joins adjacent texts into one.
    private static func merged(_ pieces: [SecretPieces.Piece]) -> [SecretPieces.Piece] {
        pieces.reduce(into: []) { result, piece in
            if case .text(let more) = piece, case .text(let before)? = result.last {
                result[result.count - 1] = .text(before + more)
            } else {
                result.append(piece)
            }
        }
    }

    /// Options that remove the fields that curl adds by itself and that the request did not have.
    private static func withoutOwnFields(_ fields: [(name: String, value: String)], hasData: Bool) -> [String] {
        let there = Set(fields.map { $0.name.lowercased() })
        let own = ["User-Agent", "Accept"] + (hasData ? ["Content-Type", "Expect"] : [])
        return own.filter { !there.contains($0.lowercased()) }.map { "--header '\($0):'" }
    }

    /// Removes control characters: headers must not contain them, and a terminal would obey them.
    private static func printable(_ text: String) -> String {
        // To look up the category of each character takes long, and most texts are ASCII.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(shown))
    }
}
