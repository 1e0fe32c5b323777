import GRDB
package import TrafficModel

extension StoreReader {
    /// By what the devices are known that a proxy has served, in the order of their addresses and of the sources.
    package func deviceNames() throws -> [DeviceName] {
        try read { database, _ in
            let rows = try PreparedStatement(database, "SELECT address, name, source FROM device ORDER BY 1, 3")
            var names: [DeviceName] = []
            while try rows.step() {
                names.append(
                    DeviceName(
                        address: rows.text(0), name: rows.text(1), source: DeviceName.Source(rawValue: rows.text(2))))
            }
            return names
        }
    }
}
