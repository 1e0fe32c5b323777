// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that no one else resolves what it needs: SwiftNIO with a TLS library inside the executable.

let package = Package(
    name: "nio-programs",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        // With neither the command nor the server's part.
        .package(name: "wireweight", path: "../..", traits: []),
    ],
    targets: [
        .target(
            name: "Requests", dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]),
        .executableTarget(name: "Client", dependencies: ["Requests"]),
        .executableTarget(
            name: "Monitored", dependencies: ["Requests", .product(name: "Wireweight", package: "wireweight")]),
        .target(
            name: "Answers",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .executableTarget(name: "Server", dependencies: ["Answers"]),
        .executableTarget(
            name: "MonitoredServer", dependencies: ["Answers", .product(name: "Wireweight", package: "wireweight")]),
    ]
)
