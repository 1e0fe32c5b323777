/// The shared library that loads the tap into other programs.
package enum PreloadLibrary {
    package static let name = "libWireweightPreload.so"

    /// Finds the library.
    package static func find() throws(RunFailure) -> String { try InstalledFile.find(name, target: "build") }
}
