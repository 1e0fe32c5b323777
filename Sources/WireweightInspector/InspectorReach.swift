/// Who reaches the inspector's page.
///
/// Later versions may have more.
public struct InspectorReach: Hashable, Sendable {
    private let name: String

    /// This machine alone.
    public static let thisMachine = InspectorReach(name: "thisMachine")
    /// The machines of the local network, by the private address of this one.
    public static let localNetwork = InspectorReach(name: "localNetwork")
}
