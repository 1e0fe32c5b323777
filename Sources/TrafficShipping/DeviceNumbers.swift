internal import ASCIIBytes
internal import FleetTables
internal import TrafficModel
internal import TrafficStore

/// Names the devices that a proxy has served by a number of their store, where addresses are not shared.
///
/// In the file of a proxy, a device's address is in the place of the program. The number says which rows are of one device,
/// and nothing about its address.
struct DeviceNumbers {
    /// The numbers of all names in the store; nil where addresses are shared.
    private let numbers: [String: Int64]?

    /// What devices are called at a level of sharing.
    init(for share: FleetShare, of reader: StoreReader) throws {
        self.init(share < .all ? try reader.processNumbers() : nil)
    }

    init(_ numbers: [String: Int64]?) { self.numbers = numbers }

    /// What is sent in the place of a program's name: the name, unless it is an address.
    ///
    /// A device that came after the numbers were read has none in the rows of this step.
    func shown(_ name: String) -> String {
        guard let numbers, Self.isAddress(name) else { return name }
        return numbers[name].map { "device \($0)" } ?? "device"
    }

    /// Replaces the name of a device.
    func replace(_ process: inout ProcessIdentity) {
        let name = shown(process.name)
        if name != process.name { process = ProcessIdentity(pid: process.pid, name: name) }
    }

    /// Whether a text is an IPv4 or an IPv6 address, with or without a zone; a few more count as one.
    static func isAddress(_ text: String) -> Bool {
        let address = text.utf8.prefix { $0 != UInt8(ascii: "%") }
        guard let first = address.first, ASCII.isHex(first) || first == UInt8(ascii: ":") else { return false }
        let dots = address.count { $0 == UInt8(ascii: ".") }
        let colons = address.count { $0 == UInt8(ascii: ":") }
        if colons >= 2 { return address.allSatisfy { ASCII.isHex($0) || ".:".utf8.contains($0) } }
        return colons == 0 && dots == 3 && address.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}
