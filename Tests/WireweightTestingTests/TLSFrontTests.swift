import Foundation
import TestSupport
import Testing

@testable import WireweightTesting

@Suite("TLS in front of the origin")
struct TLSFrontTests {
    static let hasTools =
        ["curl", "openssl"].allSatisfy { Tool.path(of: $0) != nil }
        && (Tool.path(of: "stunnel") ?? Tool.path(of: "stunnel4")) != nil

    @Test(
        "hands on the plaintext in the version asked for", .enabled(if: hasTools), arguments: TLSFront.Version.allCases)
    func handsOn(version: TLSFront.Version) throws {
        try withOrigin { _ in
            .respond(body: .text("hello"))
        } _: { origin in
            let front = try TLSFront(originPort: origin.port, version: version)
            defer { front.stop() }
            let curl = try #require(Tool.path(of: "curl"))
            let result = try Tool.run(curl, ["-sv", "--cacert", front.certificateFile, front.address + "/x"])
            #expect(text(result.output) == "hello")
            #expect(result.errors.contains("SSL connection using \(version.rawValue)"))
            #expect(origin.waitUntilIdle())
            #expect(origin.connections.count == 1)
            #expect(origin.exchanges.map(\.target) == ["/x"])
        }
    }
}
