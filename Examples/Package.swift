// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "wireweight-examples",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "FeedClient", targets: ["FeedClient"]),
        .library(name: "AppTraffic", targets: ["AppTraffic"]),
    ],
    dependencies: [
        .package(name: "wireweight", path: "..")
    ],
    targets: [
        // A client of an API, which contains no code for metering.
        .target(name: "FeedClient"),

        // A service that meters its own calls.
        .executableTarget(
            name: "FeedService",
            dependencies: ["FeedClient", .product(name: "Wireweight", package: "wireweight")]),

        // The code that an app adds; its views are in App/, for an Xcode project.
        .target(
            name: "AppTraffic",
            dependencies: [.product(name: "Wireweight", package: "wireweight")]),

        // Tests the bytes of the client against a budget.
        .testTarget(
            name: "FeedClientTests",
            dependencies: ["FeedClient", .product(name: "WireweightTesting", package: "wireweight")]),

        // Tests that the examples work.
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "AppTraffic", "FeedClient", "FeedService",
                .product(name: "Wireweight", package: "wireweight"),
                .product(name: "WireweightTesting", package: "wireweight"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
