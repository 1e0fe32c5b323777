package import FleetTables
internal import TrafficModel

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
    /// The share of the installations that send exchanges one by one, from 0 to 1; an installation is always in it or never.
    package var cohort = 1.0
    /// Whether the store is audited, and what was found is sent.
    package var audits = true
    /// The slots of time whose sums are sent.
    package var sums = Sums.hours
    /// The most bytes that are sent in an hour; nil for any number.
    package var bytesPerHour: Int64?
    /// Hosts whose exchanges, sums and connections are not sent, as reports name them: that to which is shipped.
    ///
    /// Where a process meters its own shipping, each batch would make another one otherwise.
    package var excluded: Set<String> = []
    /// For how long sums and open connections that change are not sent again.
    package var interval: Duration = .seconds(60)
    /// For how long a store is not audited again.
    package var auditInterval: Duration = .seconds(3_600)

    package init() {}

    /// The share of an installation's exchanges that are sent one by one.
    func share(of installation: InstallationID) -> Double {
        isInCohort(installation) ? details : 0
    }

    /// Whether no installation sends exchanges one by one.
    var sendsSumsAlone: Bool { details == 0 || cohort == 0 }

    /// Whether an installation is one of those that send more than sums.
    func isInCohort(_ installation: InstallationID) -> Bool {
        cohort >= 1 || Self.chance(of: installation.low ^ (installation.high &* Self.golden)) < cohort
    }

    /// Whether the exchanges of a task are sent one by one; all of a task are, or none.
    ///
    /// It depends on nothing else, so that the same exchanges are chosen each time.
    func includes(task: Int64, of installation: InstallationID) -> Bool {
        let bits = installation.low ^ installation.high ^ (UInt64(bitPattern: task) &* Self.golden)
        return Self.chance(of: bits) < share(of: installation)
    }

    private static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

    // From 0 to less than 1. The mixing function of SplitMix64, whose bits are all equally likely.
    private static func chance(of number: UInt64) -> Double {
        var bits = number
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) * 0x1p-53
    }

    /// How many installations one of the cohort stands for.
    var installationWeight: Double { cohort > 0 && cohort < 1 ? 1 / cohort : 1 }

    /// How many exchanges one that is sent stands for.
    var weight: Double {
        let chosen = details * cohort
        return chosen > 0 && chosen < 1 ? 1 / chosen : 1
    }
}
