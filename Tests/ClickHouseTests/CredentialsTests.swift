import Foundation
import Testing

@testable import ClickHouse

@Suite("Credentials") struct CredentialsTests {
    @Test("come from the environment, and from the file that it names")
    func sources() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("credentials-\(UUID().uuidString)")
        try Data("# for the fleet\nuser=reader\npassword=a=b\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try ClickHouseCredentials(environment: [:]) == ClickHouseCredentials())
        #expect(
            try ClickHouseCredentials(environment: ["WIREWEIGHT_CLICKHOUSE_FILE": file.path])
                == ClickHouseCredentials(user: "reader", password: "a=b"))
        let both = [
            "WIREWEIGHT_CLICKHOUSE_FILE": file.path, "WIREWEIGHT_CLICKHOUSE_USER": "other",
            "WIREWEIGHT_CLICKHOUSE_PASSWORD": "", "WIREWEIGHT_CLICKHOUSE_TOKEN": "t",
        ]
        #expect(
            try ClickHouseCredentials(environment: both)
                == ClickHouseCredentials(user: "other", password: "a=b", token: "t"))
    }

    @Test("that cannot be read are an error without the secret")
    func mistakes() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("credentials-\(UUID().uuidString)")
        try Data("hunter2\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let line = try #require(throws: ClickHouseError.self) {
            try ClickHouseCredentials(environment: ["WIREWEIGHT_CLICKHOUSE_FILE": file.path])
        }
        #expect(line.message.contains("'password='") && !line.message.contains("hunter2"))
        let missing = try #require(throws: ClickHouseError.self) {
            try ClickHouseCredentials(environment: ["WIREWEIGHT_CLICKHOUSE_FILE": file.path + ".none"])
        }
        #expect(missing.message.contains("WIREWEIGHT_CLICKHOUSE_FILE"))
        let split = try #require(throws: ClickHouseError.self) {
            try ClickHouseCredentials(environment: ["WIREWEIGHT_CLICKHOUSE_TOKEN": "hunter2\r\nX: y"])
        }
        #expect(!split.message.contains("hunter2"))
    }
}
