/// The network between a device and the proxy, as it is to be: how fast, how far, how lossy.
public struct LinkConditions: Equatable, Sendable {
    /// Why a text names no conditions.
    public enum Mistake: Error, Equatable {
        /// A word that is neither a profile nor a setting.
        case unknown(String)
        /// A setting whose value is not what it takes.
        case value(setting: String, value: String)
    }

    /// Bits per second to the device; nil if nothing limits them.
    public var down: Int?
    /// Bits per second from the device; nil if nothing limits them.
    public var up: Int?
    /// The round trip in milliseconds.
    public var roundTrip = 0
    /// How many of a hundred packets are lost on their way.
    public var loss = 0.0

    /// The profiles by their names.
    ///
    /// All but `loss` have the figures of WebPageTest's sample of connectivity profiles
    /// (`connectivity.ini.sample`).
    public static let profiles: [(name: String, conditions: LinkConditions)] = [
        ("edge", LinkConditions(down: 240_000, up: 200_000, roundTrip: 840)),
        ("2g", LinkConditions(down: 280_000, up: 256_000, roundTrip: 800)),
        ("3g-slow", LinkConditions(down: 400_000, up: 400_000, roundTrip: 400)),
        ("3g", LinkConditions(down: 1_600_000, up: 768_000, roundTrip: 300)),
        ("3g-fast", LinkConditions(down: 1_600_000, up: 768_000, roundTrip: 150)),
        ("4g", LinkConditions(down: 9_000_000, up: 9_000_000, roundTrip: 170)),
        ("lte", LinkConditions(down: 12_000_000, up: 12_000_000, roundTrip: 70)),
        ("dsl", LinkConditions(down: 1_500_000, up: 384_000, roundTrip: 50)),
        ("loss", LinkConditions(roundTrip: 100, loss: 2)),
    ]

    /// Conditions with these figures.
    public init(down: Int? = nil, up: Int? = nil, roundTrip: Int = 0, loss: Double = 0) {
        self.down = down
        self.up = up
        self.roundTrip = roundTrip
        self.loss = loss
    }

    /// The conditions of a text such as `3g`, `3g,loss=1` or `down=2M,up=500k,rtt=120`; a later setting replaces an
    /// earlier one.
    public init(_ text: String) throws(Mistake) {
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                guard let profile = Self.profiles.first(where: { $0.name == word }) else {
                    throw .unknown(String(word))
                }
                self = profile.conditions
                continue
            }
            let (setting, value) = (parts[0], parts[1])
            switch setting {
            case "down": down = try Self.rate(value, of: setting)
            case "up": up = try Self.rate(value, of: setting)
            case "rtt":
                guard let milliseconds = Int(value), (0...60_000).contains(milliseconds) else {
                    throw .value(setting: setting, value: value)
                }
                roundTrip = milliseconds
            case "loss":
                guard let percent = Double(value), (0...50).contains(percent) else {
                    throw .value(setting: setting, value: value)
                }
                loss = percent
            default: throw .unknown(setting)
            }
        }
    }

    /// Bits per second: digits, which may have a fraction, and `k` or `M`.
    private static func rate(_ text: String, of setting: String) throws(Mistake) -> Int {
        let scale = text.hasSuffix("k") ? 1e3 : text.hasSuffix("M") ? 1e6 : 1
        guard let number = Double(scale == 1 ? text[...] : text.dropLast()), (1e3...1e10).contains(number * scale)
        else {
            throw .value(setting: setting, value: text)
        }
        return Int(number * scale)
    }
}

extension LinkConditions: CustomStringConvertible {
    /// Such as `1.6 Mbit/s down, 768 kbit/s up, round trip 300 ms`.
    public var description: String {
        var parts = [(down, "down"), (up, "up")].compactMap { rate, way in rate.map { "\(Self.text($0)) \(way)" } }
        if roundTrip > 0 { parts.append("round trip \(roundTrip) ms") }
        if loss > 0 { parts.append("\(Self.number(loss)) % of packets lost") }
        return parts.isEmpty ? "as the network is" : parts.joined(separator: ", ")
    }

    private static func text(_ rate: Int) -> String {
        rate < 1_000_000 ? "\(number(Double(rate) / 1e3)) kbit/s" : "\(number(Double(rate) / 1e6)) Mbit/s"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String((value * 100).rounded() / 100)
    }
}
