/// Decodes bytes as UTF-8; invalid sequences become replacement characters.
package func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
