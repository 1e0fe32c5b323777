package import TrafficModel

/// Files beside the one that an inspector shows: earlier runs, files named at the start, and files that a person drops
/// on the page.
///
/// The page can open only these: no request names a path.
package protocol OtherFiles: Sendable {
    /// The files that can be chosen now, in the order in which they are offered.
    func list() -> [OtherFile]
    /// Whether there is any of them; the page asks more often for this than for all.
    var hasSome: Bool { get }
    /// Whether a person may give files.
    var takesFiles: Bool { get }
    /// Opens one of ``list()``.
    func open(_ file: OtherFile) throws -> any TrafficBrowsing
    /// A path in a private folder for the content of a file that a person gives.
    func place(for id: String) throws -> String
    /// Opens a file that was written to a ``place(for:)``: a store, or an archive that is imported into one.
    func open(given path: String) throws -> any TrafficBrowsing
    /// Deletes what was given.
    func remove(given path: String)
}

extension OtherFiles {
    /// Whether there is any of them.
    package var hasSome: Bool { !list().isEmpty }
}

/// One of these files.
package struct OtherFile: Hashable, Sendable {
    /// Why a file is offered.
    package enum Kind: String, Sendable {
        /// The inspector was started for it.
        case main
        /// It was named when the inspector was started.
        case named
        /// An earlier run that was kept.
        case run
        /// A person dropped it on the page.
        case given
    }

    package let id: String
    package let name: String
    package let kind: Kind
    /// The start of a run.
    package let start: Timestamp?

    package init(id: String, name: String, kind: Kind, start: Timestamp? = nil) {
        self.id = id
        self.name = name
        self.kind = kind
        self.start = start
    }
}
