import WireweightTesting

#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing
    import TrafficModel

    @testable import URLSessionObserver

    /// A request's cookies are those that were there when it left, whatever its response sets or takes away.
    @Suite(.oneAtATime, .timeLimit(.minutes(2)))
    struct CookieSizeTests {
        /// How a task is made: without a delegate it is sent on, with one the system's loader is listened to.
        enum Way: CaseIterable {
            case sentOn, inPlace

            fileprivate var delegate: Listener? { self == .sentOn ? nil : Listener() }
        }

        fileprivate final class Listener: NSObject, URLSessionDataDelegate {}

        /// An API that sets, replaces and deletes cookies.
        private static func origin() -> LoopbackOrigin {
            LoopbackOrigin { request in
                func setting(_ cookies: String...) -> Script {
                    .respond(fields: cookies.map { "Set-Cookie: \($0)" }, body: .text("x"))
                }
                return switch request.path {
                case "/set": setting("sid=0123456789abcdef; Path=/")
                case "/longer": setting("sid=0123456789abcdef0123456789abcdef; Path=/", "theme=dark")
                case "/delete": setting("sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
                case "/scoped":
                    setting("a=1; Path=/elsewhere", "b=22; Secure", "c=333; Domain=example.com", "d=4444; HttpOnly")
                case "/away":
                    .respond(
                        "302 Found", fields: ["Location: /plain", "Set-Cookie: hop=12345678; Path=/"],
                        body: .text("moved"))
                default: .respond(body: .text("x"))
                }
            }
        }

        private static func storage() throws -> HTTPCookieStorage {
            try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        }

        /// Makes calls one after the other and compares each request's record with the origin's log.
        private func compare(
            _ paths: [String], _ way: Way, exchanges: Int? = nil, cookies: [Int],
            _ change: (URLSessionConfiguration, String) throws -> Void = { _, _ in },
            request edit: (inout URLRequest) -> Void = { _ in }
        ) async throws {
            try await InterceptedOrigin.run(Self.origin()) { intercepted in
                let configuration = URLSessionConfiguration.ephemeral
                try change(configuration, intercepted.origin.address)
                let session = intercepted.session(configuration, delegate: way.delegate)
                for path in paths {
                    var request = URLRequest(url: try intercepted.url(path))
                    edit(&request)
                    _ = try await session.data(for: request)
                }
                expectAgreement(intercepted, cookies)
            }
        }

        /// Compares the record of each request with the origin's log; nil cookies are those of the log.
        private func expectAgreement(_ intercepted: InterceptedOrigin, _ cookies: [Int]? = nil) {
            _ = intercepted.origin.waitUntilIdle()
            let truth = intercepted.origin.exchanges
            let cookies = cookies ?? truth.map(\.request.cookies)
            #expect(truth.map(\.request.cookies) == cookies)
            let told = intercepted.sink.requests
            #expect(told.map { Int($0.size.cookies.bytes.bytes) } == cookies)
            #expect(told.map(\.size.total) == truth.map { ByteCount($0.request.total) })
            #expect(told.map(\.size.margin) == truth.map { _ in 0 })
        }

        @Test(arguments: Way.allCases)
        func aCookieOfTheResponseIsNotInItsRequest(way: Way) async throws {
            try await compare(["/set", "/plain", "/longer", "/plain"], way, cookies: [0, 30, 30, 58])
        }

        @Test(arguments: Way.allCases)
        func aCookieThatTheResponseDeletesIsInItsRequest(way: Way) async throws {
            try await compare(["/set", "/delete", "/plain"], way, cookies: [0, 30, 0])
        }

        @Test(arguments: Way.allCases)
        func cookiesForOtherPathsSchemesAndDomainsAreWeighedAsTheyAreSent(way: Way) async throws {
            try await InterceptedOrigin.run(Self.origin()) { intercepted in
                let session = intercepted.session(delegate: way.delegate)
                for path in ["/scoped", "/plain", "/elsewhere/x"] {
                    _ = try await session.data(from: try intercepted.url(path))
                }
                // Which of them Foundation sends is its own affair, and has changed.
                expectAgreement(intercepted)
                #expect(intercepted.origin.exchanges.first?.request.cookies == 0)
            }
        }

        @Test(arguments: Way.allCases)
        func aSessionThatSetsNoCookiesSendsNone(way: Way) async throws {
            try await compare(["/set", "/plain"], way, cookies: [0, 0]) { configuration, _ in
                configuration.httpShouldSetCookies = false
            }
        }

        @Test(arguments: Way.allCases)
        func aSessionWithoutAStorageSendsNone(way: Way) async throws {
            try await compare(["/set", "/plain"], way, cookies: [0, 0]) { configuration, _ in
                configuration.httpCookieStorage = nil
            }
        }

        @Test(arguments: Way.allCases)
        func aStorageOfItsOwnIsHeeded(way: Way) async throws {
            try await compare(["/plain", "/set", "/plain"], way, cookies: [13, 13, 35]) { configuration, address in
                let storage = try Self.storage()
                let host = try #require(URL(string: address)?.host)
                storage.setCookie(
                    try #require(HTTPCookie(properties: [.name: "k", .value: "v", .domain: host, .path: "/"])))
                configuration.httpCookieStorage = storage
            }
        }

        @Test(arguments: Way.allCases)
        func cookiesOfTheRequestItselfAreKeptWhereThereAreNoOthers(way: Way) async throws {
            try await compare(["/plain", "/set", "/plain"], way, cookies: [13, 13, 30]) {
                _, _ in
            } request: {
                $0.setValue("own", forHTTPHeaderField: "Cookie")
            }
        }

        @Test func aRedirectThatSetsACookieIsWeighedWithoutIt() async throws {
            try await compare(["/away"], .sentOn, cookies: [0, 22])
        }

        /// A task has its cookies from when it was made, or from when it is sent: whichever the loader takes.
        @Test(arguments: Way.allCases)
        func aCookieThatComesBetweenMakingAndResuming(way: Way) async throws {
            try await InterceptedOrigin.run(Self.origin()) { intercepted in
                let session = intercepted.session(delegate: way.delegate)
                let (set, plain) = (try intercepted.url("/set"), try intercepted.url("/plain"))
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    let late = session.dataTask(with: plain) { _, _, _ in continuation.resume() }
                    session.dataTask(with: set) { _, _, _ in late.resume() }.resume()
                }
                expectAgreement(intercepted)
            }
        }
    }
#endif
