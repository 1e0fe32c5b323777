/// One direction of a network with given conditions: when what is sent now arrives.
///
/// Bytes leave one after the other at the link's rate, arrive half a round trip later, and never before those that were
/// sent earlier. A packet that is lost is sent again a round trip later, at the earliest after 200 ms, as TCP on Linux
/// does (`TCP_RTO_MIN`); what follows waits for it. Times are nanoseconds of one clock.
public struct ConditionedLink: Sendable {
    /// Bytes in a packet: an Ethernet's, without the headers of IPv4 and TCP.
    static let packet = 1_460

    /// Bits per second; nil if nothing limits them.
    private let rate: Int?
    private let delay: Int64
    private let loss: Double
    private let resend: Int64
    /// When all that was sent before has left.
    private var free = Int64.min
    /// When all that was sent before has arrived.
    private var arrived = Int64.min

    /// The direction to the device, or the one from it.
    public init(_ conditions: LinkConditions, isDown: Bool) {
        rate = isDown ? conditions.down : conditions.up
        delay = Int64(conditions.roundTrip) * 500_000
        loss = conditions.loss / 100
        resend = max(200, Int64(conditions.roundTrip)) * 1_000_000
    }

    /// How many bytes to send as one, so that they arrive little by little, and not all at once.
    public var piece: Int { max(Self.packet, min(64 * 1024, rate.map { $0 / 8 / 50 } ?? .max)) }

    /// How many bytes may be on their way before no more are taken: what fits into a round trip, and some that wait.
    public var most: Int {
        guard let rate else { return 1 << 20 }
        let trip = Double(max(delay * 2, 100_000_000)) / 1e9
        return min(1 << 20, max(64 * 1024, Int(Double(rate) / 8 * trip)))
    }

    /// Lets nothing leave before a time.
    public mutating func wait(until time: Int64) { free = max(free, time) }

    /// When bytes arrive that are sent now.
    ///
    /// - Parameters:
    ///   - bytes: how many there are; none for the end of the direction.
    ///   - now: the time.
    ///   - chance: a number from 0 up to 1, by which packets are lost.
    /// - Returns: the time at which all of them have arrived.
    public mutating func arrival(of bytes: Int, at now: Int64, chance: Double) -> Int64 {
        var left = max(now, free)
        if let rate { left += Int64((Double(bytes) * 8e9 / Double(rate)).rounded(.up)) }
        free = left
        let packets = (bytes + Self.packet - 1) / Self.packet
        var isWhole = 1.0
        for _ in 0..<packets { isWhole *= 1 - loss }
        arrived = max(arrived, left + delay + (chance < isWhole ? 0 : resend))
        return arrived
    }
}
