// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that no one else resolves what it needs: SwiftNIO with a TLS library inside the executable.

let package = Package(
    name: "async-http-client-program",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        // With neither the command nor the server's part.
        .package(name: "wireweight", path: "../..", traits: []),
    ],
    targets: [
        .target(
            name: "Requests", dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]),
        .executableTarget(name: "Client", dependencies: ["Requests"]),
        .executableTarget(
            name: "Monitored", dependencies: ["Requests", .product(name: "Wireweight", package: "wireweight")]),
    ]
)
