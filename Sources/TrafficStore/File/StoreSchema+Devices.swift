extension StoreSchema {
    // By what the devices are known that a proxy has served: one name of each source. `process` has their addresses.
    static let devices = """
        CREATE TABLE device(
            address TEXT NOT NULL, source TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(address, source)
        ) WITHOUT ROWID;
        """
}
