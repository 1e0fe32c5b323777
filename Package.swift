// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Makes a room; ARCHITECTURE.md says what each room may touch.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: strict)
}

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
// Only the command parses arguments. Packages that use only the library can set `traits: []`, and do not resolve it.
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"]))
/// What only servers need, which is off unless a package asks for it.
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
    name: "wireweight",
    platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9)],
    products: [
        // The products include the rooms that they export, so that `make api-changes` checks these, too.
        .library(name: "Wireweight", targets: ["Wireweight", "Diagnosis", "TrafficModel"]),
        .library(name: "WireweightInspector", targets: ["WireweightInspector"]),
        .library(name: "WireweightUI", targets: ["WireweightUI"]),
        .library(name: "WireweightServer", targets: ["WireweightServer"]),
        .library(name: "WireweightShipping", targets: ["WireweightShipping"]),
        .library(name: "WireweightTesting", targets: ["WireweightTesting", "TrafficOrigin"]),
        .executable(name: "wireweight", targets: ["WireweightCommand"]),
    ],
    traits: [
        .default(enabledTraits: ["Command"]),
        .trait(name: "Command", description: "The command 'wireweight'."),
        .trait(
            name: "Server",
            description: "The library 'WireweightServer': swift-log, swift-metrics and swift-service-lifecycle."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The types of the model, and the readers of the wire's formats.
        room("ASCIIBytes"),
        // Synchronization, or where Apple's systems do not have it yet, the part of it that is used.
        .target(name: "CAtomics"),
        room("PortableLocks", ["CAtomics"]),
        room(
            "Locks",
            [.target(name: "PortableLocks", condition: .when(platforms: [.iOS, .macOS, .tvOS, .watchOS]))]),
        room("TrafficModel", ["ASCIIBytes"]),
        .target(name: "CHTTPWire"),
        room("HTTPWire", ["ASCIIBytes", "CHTTPWire", "TrafficModel"]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        room("ContentCoding", ["CZlib", "HTTPWire"]),
        room("PassiveHTTP", ["HTTPWire", "TrafficModel"]),
        // With the system's libcrypto, which it opens at run time.
        room("TLSRecords", ["ASCIIBytes", "ContentCoding"]),
        room("TextFormats", ["ASCIIBytes", "TrafficModel"]),
        room("URLTemplates", ["ASCIIBytes", "TrafficModel"]),

        // ClickHouse's rows, and its HTTP interface.
        room("RowBinary"),
        // By its file, because the build needs no headers of libcurl, and so no development package.
        .target(
            name: "CCurlRequests",
            linkerSettings: [.linkedLibrary(":libcurl.so.4", .when(platforms: [.linux]))]),
        room(
            "ClickHouse",
            [
                "Locks", "ASCIIBytes", "RowBinary",
                .target(name: "CCurlRequests", condition: .when(platforms: [.linux])),
            ]),
        room("FleetTables", ["ASCIIBytes", "RowBinary", "TrafficModel"]),

        // A server on loopback that logs every byte, to compare a meter with.
        room("TrafficOrigin", ["Locks", "TrafficModel"]),

        // Observers, and what each of them needs.
        room("Clocks", ["TrafficModel"]),
        room("ConnectionAccounts", ["HTTPWire", "TrafficModel"]),
        room("Observing", ["Locks", "Clocks", "ConnectionAccounts", "TrafficModel"]),
        .target(name: "CCurlTap", dependencies: ["CHTTPWire"], cSettings: [.define("_GNU_SOURCE")]),
        .target(
            name: "CStreamTap", dependencies: ["CCurlTap", "CHTTPWire"],
            cSettings: [.define("_GNU_SOURCE"), .headerSearchPath("../CCurlTap")]),
        .target(
            name: "CStreamHooks", dependencies: ["CCurlTap", "CStreamTap"],
            cSettings: [.define("_GNU_SOURCE"), .headerSearchPath("../CCurlTap")]),
        room(
            "CurlObserver",
            [
                "Locks", "CCurlTap", "CStreamHooks", "CStreamTap", "Clocks", "ConnectionAccounts", "ContentCoding",
                "HTTPWire", "Observing", "TLSRecords", "TrafficModel",
            ]),
        .target(name: "CTaskDelegates"),
        room(
            "URLSessionObserver",
            [
                "Locks", "ConnectionAccounts", "ContentCoding", "HTTPWire", "Observing", "TrafficModel",
                .target(name: "CTaskDelegates", condition: .when(platforms: [.iOS, .macOS, .tvOS, .watchOS])),
            ]),
        .target(
            name: "WireweightPreload", dependencies: ["CCurlTap", "CStreamHooks", "CStreamTap"],
            cSettings: [
                .define("_GNU_SOURCE"), .define("WIREWEIGHT_PRELOADED"), .headerSearchPath("../CCurlTap"),
                .headerSearchPath("../CStreamHooks"),
            ]),

        // The rooms that process, store and present events.
        room("TrafficPipeline", ["Locks", "ASCIIBytes", "ContentCoding", "HTTPWire", "URLTemplates", "TrafficModel"]),
        room(
            "TrafficStore",
            [
                "ASCIIBytes", "Clocks", "ContentCoding", "HTTPWire", "Locks", "URLTemplates", "TrafficModel", grdb,
                sqlite,
            ]),
        room(
            "FleetReading",
            [
                "Locks", "ClickHouse", "FleetTables", "RowBinary", "TextFormats", "TrafficAudit", "TrafficModel",
                "URLTemplates",
            ]),
        room(
            "TrafficShipping",
            [
                "ASCIIBytes", "ClickHouse", "ContentCoding", "FleetTables", "HTTPWire", "RowBinary", "TrafficAudit",
                "TrafficExport", "TrafficStore", "TrafficModel",
            ]),
        room("TrafficReports", ["ASCIIBytes", "TextFormats", "URLTemplates", "TrafficModel"]),
        room("TrafficAudit", ["ASCIIBytes", "ContentCoding", "HTTPWire", "TextFormats", "TrafficModel"]),
        room("CaptureVerification", ["TextFormats", "TrafficModel"]),
        room(
            "TrafficExport",
            ["ASCIIBytes", "ContentCoding", "HTTPWire", "TextFormats", "TrafficModel", "TrafficReports"]),
        // The inspector's page, which TrafficInspector/Web holds.
        .target(name: "CInspectorPage"),
        room(
            "TrafficInspector",
            [
                "Locks",
                "ASCIIBytes", "CInspectorPage", "Clocks", "ContentCoding", "TextFormats", "TrafficAudit",
                "TrafficExport", "TrafficReports", "HTTPWire", "TrafficModel",
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ], exclude: ["Web"]),

        // What can be metered here, proven by requests of its own.
        room("Diagnosis", ["Locks", "CurlObserver", "TrafficModel", "TrafficOrigin"]),
        room("MachineExamination", ["CurlObserver", "Diagnosis", "TextFormats", "TrafficModel"]),

        // What people use: the library, the testing library and the command.
        room(
            "Wireweight",
            [
                "Locks",
                "Clocks", "Observing", "CurlObserver", "Diagnosis", "URLSessionObserver", "TrafficPipeline",
                "TrafficStore", "URLTemplates", "TrafficModel",
            ], exclude: ["PrivacyInfo.xcprivacy"]),
        // A library of its own, so that who only meters links no web server.
        room("WireweightInspector", ["Locks", "Wireweight", "TrafficInspector", "TrafficStore"]),
        // A library of its own, so that who only meters has nothing that sends.
        room(
            "WireweightShipping",
            [
                "Locks", "ClickHouse", "Clocks", "FleetTables", "TrafficShipping", "TrafficStore", "TrafficModel",
                "Wireweight",
            ]),
        // The same page in an app; empty where there is no SwiftUI.
        room("WireweightUI", ["Wireweight", "WireweightInspector", "TrafficInspector"]),
        // Its parts that use other packages are empty without the trait.
        room(
            "WireweightServer",
            [
                "Wireweight", "TrafficPipeline", "URLTemplates", "TrafficModel", server("Logging", "swift-log"),
                server("CoreMetrics", "swift-metrics"), server("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        room(
            "WireweightTesting",
            ["Locks", "CurlObserver", "TextFormats", "TrafficPipeline", "TrafficOrigin", "TrafficModel"]),
        // Compares what is metered with an origin's log: a test here, and what is run on a device to prove it there.
        room(
            "DeviceProof",
            [
                "Locks", "TextFormats", "TrafficModel", "TrafficOrigin", "TrafficStore", "Wireweight",
                "WireweightTesting",
            ]),
        .executableTarget(
            name: "WireweightCommand",
            dependencies: [
                "Locks",
                "Wireweight", "WireweightInspector", "ClickHouse", "Clocks", "CurlObserver",
                "FleetReading", "FleetTables",
                "TrafficPipeline", "TrafficStore",
                "TrafficExport", "TrafficShipping",
                "TrafficReports", "TrafficAudit", "CaptureVerification", "TextFormats", "TrafficInspector",
                "TrafficOrigin", "Diagnosis", "MachineExamination", "URLTemplates", "TrafficModel", argumentParser,
            ],
            swiftSettings: strict),

        // Measures the costs of metering: `make bench`.
        .executableTarget(
            name: "WireweightBenchmarks",
            dependencies: [
                "Locks",
                "Wireweight", "Clocks", "CurlObserver", "EarlierMonitors", "TapFrames", "TrafficPipeline",
                "TrafficStore", "TrafficModel", sqlite,
            ],
            path: "Benchmarks",
            exclude: [
                "EarlierMonitors", "Inspector", "Instructions", "Proxy", "Reports/compare.py", "Scale", "Streams",
            ],
            swiftSettings: strict),
        // The formulas by which earlier monitors compute sizes, to be measured on the same traffic.
        .target(name: "EarlierMonitors", path: "Benchmarks/EarlierMonitors", swiftSettings: strict),

        // The proxy's readers of bytes, which are a target of its own package, too.
        .target(name: "ProxyWire", path: "Proxy/Sources/ProxyWire", swiftSettings: strict),
        // The readers of foreign bytes, for the fuzzer and for tests: `make fuzz`.
        .target(
            name: "Fuzz",
            dependencies: [
                "Locks",
                "CCurlTap", "CHTTPWire", "CStreamPlay", "ClickHouse", "ConnectionAccounts", "ContentCoding",
                "CurlObserver", "HTTPWire", "PassiveHTTP", "ProxyWire", "RowBinary", "TLSRecords",
                "TrafficExport", "CaptureVerification", "TextFormats", "TrafficInspector", "TrafficModel",
                "TrafficReports",
                "URLTemplates",
            ],
            path: "Fuzz", swiftSettings: strict),
        .testTarget(
            name: "FuzzTests", dependencies: ["Fuzz"], exclude: ["Findings"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["WireweightTesting", "TrafficModel"], path: "Tests/TestSupport",
            swiftSettings: strict),
        // Builds frames as the tap writes them, and the frames of a long-running program.
        .target(name: "TapFrames", dependencies: ["CCurlTap"], path: "Tests/TapFrames", swiftSettings: strict),
        tests(of: "ASCIIBytes", ["TestSupport"]),
        tests(of: "PortableLocks"),
        tests(of: "TrafficModel", ["TestSupport"]),
        tests(of: "HTTPWire", ["TestSupport", "TrafficModel"]),
        tests(of: "ContentCoding", ["WireweightTesting", "HTTPWire"]),
        tests(of: "TLSRecords"),
        tests(of: "PassiveHTTP", ["ContentCoding", "HTTPWire", "TestSupport", "TrafficModel"]),
        // A C program on libcurl, whose calls go through the dynamic linker's slots.
        .target(
            name: "CCurlClient", path: "Tests/CCurlClient", cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("curl")]),
        // The stream tap on bytes of a test, without sockets.
        .target(
            name: "CStreamPlay", dependencies: ["CCurlTap", "CStreamTap"], path: "Tests/CStreamPlay",
            cSettings: [
                .define("_GNU_SOURCE"), .headerSearchPath("../../Sources/CCurlTap"),
                .headerSearchPath("../../Sources/CStreamTap"),
            ]),
        tests(
            of: "CurlObserver",
            [
                "Locks",
                "CHTTPWire",
                "TestSupport", "TapFrames", "CCurlClient", "CCurlTap", "CStreamPlay", "ConnectionAccounts",
                "ContentCoding",
                "PassiveHTTP", "TrafficModel", "TrafficPipeline", "WireweightTesting",
            ]),
        tests(
            of: "URLSessionObserver",
            [
                "ConnectionAccounts", "HTTPWire", "Locks", "Observing", "TestSupport", "WireweightTesting",
                "TrafficModel", "TrafficPipeline",
            ]),
        tests(of: "URLTemplates", ["TestSupport"]),
        tests(of: "RowBinary"),
        tests(
            of: "FleetReading",
            ["ClickHouse", "FleetTables", "RowBinary", "TestSupport", "TrafficModel", "TrafficStore"]),
        tests(of: "ClickHouse", ["RowBinary", "TestSupport", "TrafficOrigin"]),
        tests(of: "FleetTables", ["RowBinary", "TestSupport", "TrafficModel"]),
        tests(of: "TrafficPipeline", ["Locks", "TestSupport", "WireweightTesting", "URLTemplates", "TrafficModel"]),
        tests(of: "TrafficStore", ["Locks", "TestSupport", "TextFormats", "URLTemplates", "TrafficModel", grdb]),
        tests(
            of: "TrafficShipping",
            [
                "ClickHouse", "ContentCoding", "FleetTables", "HTTPWire", "RowBinary", "TestSupport", "TrafficAudit",
                "TrafficExport", "TrafficOrigin", "TrafficStore", "TrafficModel",
            ]),
        tests(of: "TextFormats", ["TestSupport", "TrafficModel"]),
        tests(of: "TrafficReports", ["TestSupport", "TextFormats", "URLTemplates", "TrafficModel"]),
        tests(of: "ConnectionAccounts", ["TestSupport", "HTTPWire", "TrafficModel"]),
        tests(of: "Observing", ["TrafficModel"]),
        tests(of: "TrafficAudit", ["TestSupport", "TextFormats", "TrafficModel"]),
        tests(of: "CaptureVerification", ["TextFormats", "TrafficModel"]),
        tests(
            of: "TrafficExport",
            ["TextFormats", "WireweightTesting", "TrafficPipeline", "TrafficStore", "TrafficReports", "TrafficModel"]),
        tests(
            of: "TrafficInspector",
            [
                "Locks",
                "ContentCoding", "HTTPWire", "TestSupport", "TrafficAudit", "TrafficStore", "TextFormats",
                "TrafficReports", "TrafficModel",
            ]),
        tests(
            of: "WireweightTesting",
            ["Locks", "TestSupport", "CurlObserver", "TrafficOrigin", "TrafficPipeline", "TrafficModel"]),
        tests(
            of: "Wireweight",
            [
                "Locks",
                "TestSupport", "Diagnosis", "EarlierMonitors", "ContentCoding", "HTTPWire", "PassiveHTTP",
                "ClickHouse", "FleetTables", "RowBinary", "WireweightCommand", "WireweightInspector",
                "WireweightShipping", "WireweightTesting", "TextFormats", "TrafficAudit",
                "TrafficExport",
                "TrafficStore", "TrafficReports", "URLTemplates", "TrafficModel",
            ]),
        tests(of: "WireweightServer", ["TrafficModel"]),
        tests(of: "DeviceProof", ["TestSupport"]),
        tests(
            of: "WireweightCommand",
            [
                "Locks",
                "TestSupport", "Diagnosis", "MachineExamination", "WireweightTesting", "TrafficStore", "TrafficModel",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Elsewhere the rooms are built, and those tests that say something of them there, as far as `Scripts/check-apple.py` checks
// that they compile. Other tests, the benchmarks and the fuzz targets call what only Linux has.
#if !os(Linux)
    let testsElsewhere: Set = [
        "ASCIIBytesTests", "CaptureVerificationTests", "DeviceProofTests", "HTTPWireTests", "PortableLocksTests",
        "TextFormatsTests", "TrafficAuditTests", "TrafficInspectorTests", "TrafficModelTests", "TrafficPipelineTests",
        "TrafficReportsTests", "TrafficStoreTests", "URLSessionObserverTests", "URLTemplatesTests", "TestSupport",
    ]
    // What has a path of its own is for tests and benchmarks.
    package.targets.removeAll {
        ($0.path != nil || $0.name.hasSuffix("Tests")) && !testsElsewhere.contains($0.name)
    }
    // The command loads the tap into programs, and the doctor examines programs. The other subcommands are built.
    let filesForLinux = [
        "MachineExamination": [
            "CanaryReport.swift", "Examination+JSON.swift", "Examination+Text.swift", "Examination.swift",
            "Machine.swift", "OutsideCheck.swift", "Platform.swift", "Probe.swift", "Programs/EmbeddedTLS.swift",
            "Programs/Environment.swift", "Programs/HTTPStack.swift", "Programs/InstalledFile.swift",
            "Programs/LibrarySearch.swift", "Programs/PreloadLibrary.swift", "Programs/Program.swift",
            "Programs/ProgramDiagnosis.swift", "Programs/ProgramFile.swift", "Programs/ProgramLinks.swift",
            "Programs/Remedy.swift",
        ],
        "WireweightCommand": [
            "Demo", "Doctor/CanaryCommand.swift", "Doctor/Doctor.swift", "Proxy", "Run/ChildProcess.swift",
            "Run/LiveStatus.swift", "Run/LiveTable.swift", "Run/ProgramWords.swift", "Run/Run.swift",
            "Run/LookupTally+Text.swift", "Run/RunSession.swift", "Run/RunSummary.swift", "Run/UnmeteredTraffic.swift",
        ],
    ]
    for target in package.targets { target.exclude += filesForLinux[target.name] ?? [] }
    // Apps of the App Store must have it; elsewhere it would only need a bundle.
    for target in package.targets where target.name == "Wireweight" {
        target.exclude = []
        target.resources = [.process("PrivacyInfo.xcprivacy")]
    }
#endif
