// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "wireweight-examples",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "FeedClient", targets: ["FeedClient"]),
        .library(name: "AppTraffic", targets: ["AppTraffic"]),
        .executable(name: "Reader", targets: ["Reader"]),
    ],
    traits: [
        .default(enabledTraits: ["Metered"]),
        .trait(name: "Metered", description: "The meter in Reader. A release leaves it out: --disable-default-traits"),
    ],
    dependencies: [
        // The trait is for the service; an app or a test needs none.
        .package(name: "wireweight", path: "..", traits: ["Server"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // A client of an API, which contains no code for metering.
        .target(name: "FeedClient"),

        // A service that meters its own calls.
        .executableTarget(
            name: "FeedService",
            dependencies: [
                "FeedClient",
                .product(name: "Wireweight", package: "wireweight"),
                .product(name: "WireweightServer", package: "wireweight"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),

        // An app whose release has nothing of Wireweight: without the trait, the line's condition does not hold.
        .executableTarget(
            name: "Reader",
            dependencies: [
                "FeedClient",
                .product(name: "Wireweight", package: "wireweight", condition: .when(traits: ["Metered"])),
            ]),

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
                .product(name: "WireweightInspector", package: "wireweight"),
                .product(name: "WireweightShipping", package: "wireweight"),
                .product(name: "WireweightTesting", package: "wireweight"),
            ]),

        // Tests what the service uses, with a logger, a metrics system and a group of services.
        .testTarget(
            name: "TrafficServiceTests",
            dependencies: [
                .product(name: "Wireweight", package: "wireweight"),
                .product(name: "WireweightServer", package: "wireweight"),
                .product(name: "WireweightTesting", package: "wireweight"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
