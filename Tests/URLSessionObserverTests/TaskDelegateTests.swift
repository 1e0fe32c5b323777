#if os(Linux)
    import Foundation
    import Testing
    import WireweightTesting

    enum ObjectiveCOfGCC {
        static let isHere: Bool = {
            guard let compiler = Tool.path(of: "gcc"),
                let found = try? Tool.run(compiler, ["-print-prog-name=cc1obj"])
            else { return false }
            // GCC answers with the bare name if it has no such program.
            return String(decoding: found.output, as: UTF8.self).hasPrefix("/")
        }()
    }

    /// The one part in Objective-C, compiled by GCC and run with its runtime, because Swift has none on Linux.
    @Suite(.enabled(if: ObjectiveCOfGCC.isHere, "needs gobjc"))
    struct TaskDelegateTests {
        private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()

        @Test("A task takes its delegate, and one that raises an exception is left without it")
        func exception() throws {
            let compiler = try #require(Tool.path(of: "gcc"))
            let program = FileManager.default.temporaryDirectory.appendingPathComponent("taskdelegate-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: program) }
            let room = Self.root.appendingPathComponent("Sources/CTaskDelegates").path
            let made = try Tool.run(
                compiler,
                [
                    // GCC has no reference counting, so a bridge is nothing.
                    "-fobjc-exceptions", "-D__APPLE__", "-D__bridge=", "-I\(room)/include", "\(room)/set_delegate.m",
                    Self.root.appendingPathComponent("Tests/Programs/taskdelegate.m").path, "-lobjc", "-o", program,
                ])
            #expect(made.status == 0, "\(made.errors)")
            let result = try Tool.run(program, [])
            #expect(result.status == 0)
            #expect(String(decoding: result.output, as: UTF8.self) == "1 1, 0 1\n")
        }
    }
#endif
