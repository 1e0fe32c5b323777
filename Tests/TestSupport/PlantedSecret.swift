package import Foundation
package import WireweightTesting

/// A credential in a place where programs put theirs; no output may contain it afterwards.
package struct PlantedSecret: Sendable {
    /// The part of an exchange that carries the secret.
    package enum Place: Sendable, Hashable {
        /// A header line of the request.
        case field(String)
        /// The part of the request target after the path.
        case target(String)
        /// The user info before the host.
        case userInfo(String)
        /// The request's body and its media type.
        case body(String, String)
        /// A header line of the response.
        case responseField(String)
        /// The response's body and its media type.
        case responseBody(String, String)
        /// The response's body, compressed.
        case compressedBody(String)
        /// A trailer line after the response's body.
        case trailer(String)
        /// The end of the address to which a response redirects the client.
        case redirect(String)
    }

    /// The kind of secret, for messages.
    package let kind: String
    /// The text that must not be found.
    package let secret: String
    /// Where the secret is planted.
    package let place: Place
    /// The number of the secret, which is part of the request's path.
    package let number: Int

    /// Makes a unique secret of letters and digits, as tokens have them.
    private static func secret(_ number: Int) -> String { "Zp\(100 + number)q9Lk7Vw3Rt8Xb2" }

    /// Makes a JSON Web Token that contains a secret.
    private static func webToken(_ secret: String) -> String { "eyJhbGciOiJIUzI1NiJ9.eyJ\(secret).sig\(secret)" }

    /// All planted secrets.
    package static let all: [PlantedSecret] = kinds.enumerated().map { number, kind in
        let secret = secret(number)
        return PlantedSecret(kind: kind.0, secret: secret, place: kind.1(secret), number: number)
    }

    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"

    private static let kinds: [(String, @Sendable (String) -> Place)] = [
        ("Authorization: Basic", { .field("Authorization: Basic \($0)=") }),
        ("Authorization: Bearer", { .field("Authorization: Bearer \($0)") }),
        (
            "Authorization: Digest",
            { .field("Authorization: Digest username=\"ada\", nonce=\"n\", response=\"\($0)\"") }
        ),
        (
            "Authorization: AWS4",
            { .field("Authorization: AWS4-HMAC-SHA256 Credential=AK/x, SignedHeaders=host, Signature=\($0)") }
        ),
        ("Authorization without a scheme", { .field("Authorization: \($0)") }),
        ("Proxy-Authorization", { .field("Proxy-Authorization: Basic \($0)=") }),
        ("Cookie", { .field("Cookie: theme=dark; sid=\($0)") }),
        ("X-Api-Key", { .field("X-Api-Key: \($0)") }),
        ("X-Auth-Token", { .field("X-Auth-Token: \($0)") }),
        ("X-CSRF-Token", { .field("X-CSRF-Token: \($0)") }),
        ("X-Amz-Security-Token", { .field("X-Amz-Security-Token: \($0)") }),
        ("a field with a web token", { .field("X-Debug: user=\(webToken($0))") }),
        ("a field with JSON", { .field("X-Context: {\"user\":\"ada\",\"accessToken\":\"\($0)\"}") }),
        ("Referer", { .field("Referer: https://app.test/cb?state=1&access_token=\($0)") }),
        ("query: api_key", { .target("?page=1&api_key=\($0)") }),
        ("query: access_token", { .target("?access_token=\($0)&page=2") }),
        ("query: X-Amz-Signature", { .target("?X-Amz-Expires=60&X-Amz-Signature=\($0)") }),
        ("query: X-Goog-Signature", { .target("?X-Goog-Signature=\($0)") }),
        ("query: shared access signature", { .target("?sv=2024-11-04&se=2027&sr=b&sig=\($0)%3D") }),
        ("query: key", { .target("?key=\($0)") }),
        ("query: password", { .target("?user=ada&password=\($0)") }),
        ("query: client_secret", { .target("?client_secret=\($0)") }),
        ("query: session", { .target("?session=\($0)") }),
        ("query: code", { .target("?code=\($0)&state=x") }),
        ("query: encoded name", { .target("?api%5Fkey=\($0)") }),
        ("query: nested name", { .target("?user%5Bpassword%5D=\($0)") }),
        ("query: URL inside", { .target("?next=https%3A%2F%2Fh.test%2F%3Ftoken%3D\($0)") }),
        ("query: web token", { .target("?t=\(webToken($0))") }),
        ("path parameter", { .target("/list;jsessionid=\($0)/x") }),
        ("path: after a word", { .target("/reset-password/\($0)") }),
        ("path: web token", { .target("/verify/\(webToken($0))/x") }),
        ("user info", { .userInfo("ada:\($0)") }),
        ("fragment", { .target("?a=1#access_token=\($0)") }),
        ("Set-Cookie", { .responseField("Set-Cookie: sid=\($0); Path=/; HttpOnly") }),
        ("Location", { .responseField("Location: /done?access_token=\($0)#id_token=\($0)") }),
        ("Link", { .responseField("Link: <https://h.test/next?sig=\($0)>; rel=\"next\"") }),
        ("Authentication-Info", { .responseField("X-Refresh-Token: \($0)") }),
        ("redirect", { .redirect("?token=\($0)") }),
        ("trailer", { .trailer("X-Auth-Token: \($0)") }),
        ("JSON body", { .body(json, "{\"user\":\"ada\",\"password\":\"\($0)\"}") }),
        ("JSON body, nested", { .body(json, "{\"credentials\":{\"id\":\"\($0)\",\"pin\":\(1234)}}") }),
        ("JSON body, in a string", { .body(json, "{\"payload\":\"{\\\"token\\\":\\\"\($0)\\\"}\"}") }),
        ("form body", { .body(form, "user=ada&client_secret=\($0)&grant_type=x") }),
        (
            "multipart body",
            {
                .body(
                    "multipart/form-data; boundary=b7",
                    "--b7\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\($0)\r\n--b7--\r\n")
            }
        ),
        (
            "GraphQL variables",
            { .body(json, "{\"query\":\"mutation M($p: String!) { a }\",\"variables\":{\"password\":\"\($0)\"}}") }
        ),
        (
            "GraphQL arguments",
            { .body(json, "{\"query\":\"mutation { login(user: \\\"ada\\\", password: \\\"\($0)\\\") { id } }\"}") }
        ),
        ("XML body", { .body("application/xml", "<login><user>ada</user><password>\($0)</password></login>") }),
        ("JSON response", { .responseBody(json, "{\"expires_in\":60,\"access_token\":\"\($0)\"}") }),
        ("JSON response: refresh_token", { .responseBody(json, "{ \"refresh_token\" : \"\($0)\" }") }),
        ("JSON response: URL", { .responseBody(json, "{\"next\":\"https:\\/\\/h.test\\/?page=2&token=\($0)\"}") }),
        ("JSON response: web token", { .responseBody(json, "{\"t\":\"\(webToken($0))\"}") }),
        ("HTML response", { .responseBody("text/html", "<input type=hidden name=\"csrf_token\" value=\"\($0)\">") }),
        ("text response", { .responseBody("text/plain", "user: ada\nsecret: \($0)\n") }),
        ("compressed response", { .compressedBody("{\"token\":\"\($0)\"}") }),
    ]

    // MARK: the request

    /// The path of the request.
    package var path: String {
        if case .target(let target) = place { "/planted/\(number)\(target)" } else { "/planted/\(number)" }
    }

    /// Makes the URL of the request, with user info if the secret is there.
    package func url(at origin: LoopbackOrigin) -> String {
        if case .userInfo(let userInfo) = place { return "http://\(userInfo)@127.0.0.1:\(origin.port)\(path)" }
        return "http://127.0.0.1:\(origin.port)\(path)"
    }

    // MARK: the response

    /// The server's response to a request with one of these secrets.
    package static func response(to request: OriginRequest) -> Script {
        let words = request.path.split(separator: "/")
        guard words.count > 1, words[0] == "planted", let number = Int(words[1].prefix { $0.isNumber }),
            all.indices.contains(number)
        else { return .respond(body: .text("else")) }
        let read = Script([.readRequestBody])
        switch all[number].place {
        case .responseField(let line): return read + .respond("201 Created", fields: [line], body: .text("ok"))
        case .responseBody(let type, let body):
            return read + .respond(fields: ["Content-Type: \(type)"], body: .text(body))
        case .compressedBody(let body):
            return read
                + .respond(
                    fields: ["Content-Type: \(json)", "Content-Encoding: gzip"],
                    body: .sized(StoredGzip.encode(Array(body.utf8))))
        case .trailer(let line):
            return read + .respond(body: .chunked(Array("trailed".utf8), sizes: [3, 4], trailers: [line]))
        case .redirect(let target):
            return read + .respond("302 Found", fields: ["Location: /landing\(target)"], body: .text("go"))
        default: return read + .respond(body: .text("ok"))
        }
    }

    // MARK: the search

    /// Returns the kinds of the secrets that data contains, in plain text or in Base64.
    package static func found(in data: Data) -> [String] {
        all.filter { planted in
            planted.traces.contains { data.range(of: Data($0.utf8)) != nil }
        }.map(\.kind)
    }

    private var traces: [String] {
        var traces = [secret]
        if case .userInfo(let userInfo) = place { traces.append(Data(userInfo.utf8).base64EncodedString()) }
        // A kept body may be shown in Base64, where the secret's form depends on its offset.
        for shift in 0..<3 {
            let padded = Data(repeating: 0x20, count: shift) + Data(secret.utf8)
            let coded = padded.base64EncodedString()
            traces.append(String(coded.dropFirst(4).dropLast(4)))
        }
        return traces
    }
}
