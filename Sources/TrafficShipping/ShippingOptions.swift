package import FleetTables
package import TrafficModel

/// What is shipped.
package struct ShippingOptions: Sendable {
    /// The slots of time whose sums are sent.
    package enum Sums: String, CaseIterable, Sendable {
        case minutes, hours, days

        /// The narrowest and the widest slots, in minutes.
        package var widths: (finest: Int, coarsest: Int) {
            switch self {
            case .minutes: (1, 60)
            case .hours: (60, 60)
            case .days: (1_440, 1_440)
            }
        }
    }

    /// How much of an exchange is shared.
    package var share = FleetShare.templates
    /// The share of the exchanges that are sent one by one, from 0 to 1; sums are of all.
    package var details = 1.0
    /// The slots of time whose sums are sent.
    package var sums = Sums.hours
    /// The most bytes that are sent in an hour; nil for any number.
    package var bytesPerHour: Int64?
    /// Hosts whose exchanges are not sent, as reports name them: that to which is shipped.
    package var excluded: Set<String> = []
    /// For how long sums and open connections that change are not sent again.
    package var interval: Duration = .seconds(60)

    package init() {}

    /// Whether the exchanges of a task are sent one by one; all of a task are, or none.
    ///
    /// It depends on nothing else, so that the same exchanges are chosen each time.
    func includes(task: Int64, of installation: InstallationID) -> Bool {
        if details >= 1 { return true }
        // The mixing function of SplitMix64, whose bits are all equally likely.
        var bits = installation.low ^ installation.high ^ (UInt64(bitPattern: task) &* 0x9E37_79B9_7F4A_7C15)
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) * 0x1p-53 < details
    }

    /// How many exchanges one that is sent stands for.
    var weight: Double { details > 0 && details < 1 ? 1 / details : 1 }
}
