package import TextFormats
package import TrafficModel

extension ByteFlow {
    /// Both directions as members of a JSON object.
    package var members: [JSONValue.Member] {
        [.init("up", .integer(up.bytes)), .init("down", .integer(down.bytes))]
    }

    /// Both directions as a JSON object, in bytes.
    package var json: JSONValue { .object(members) }
}
