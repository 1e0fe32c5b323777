// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that who wants only the meter resolves no SwiftNIO. It needs nothing of the meter's rooms:
// `wireweight proxy` loads the tap into it, as into any other program, and so its two ends are metered.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "wireweight-proxy",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "wireweight-proxy", targets: ["WireweightProxy"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // Bytes only: headers, bodies, SOCKS, who may go where. No sockets.
        .target(name: "ProxyWire", swiftSettings: strict),
        // TLS by the system's OpenSSL: the tap meters it as in any program, and its updates are the system's.
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        // The codes that a phone's camera reads: links to the inspector's files, whose tests zbar judges.
        .target(name: "QRCodes", swiftSettings: strict),
        .target(name: "CProxyTLS", dependencies: ["COpenSSL"]),
        .target(name: "ProxyTLS", dependencies: ["COpenSSL", "CProxyTLS"], swiftSettings: strict),
        .testTarget(name: "ProxyWireTests", dependencies: ["ProxyWire"], swiftSettings: strict),
        .executableTarget(
            name: "WireweightProxy",
            dependencies: [
                "ProxyTLS",
                "ProxyWire",
                "QRCodes",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict),
    ]
)
