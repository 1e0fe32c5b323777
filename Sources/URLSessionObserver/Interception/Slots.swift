internal import Foundation
internal import Synchronization

/// Classes at run time, one for each metered configuration: the only thing about a session that its protocol objects see
/// is their own class.
///
/// A class cannot be taken back, nor its entry: a session that was made with it may live as long as the process.
enum Slots {
    private enum Even<Rest> {}
    private enum Odd<Rest> {}

    private static let carriers = Mutex<[ObjectIdentifier: Carrier]>([:])

    static func carrier(of type: MeteringURLProtocol.Type) -> Carrier? {
        carriers.withLock { $0[ObjectIdentifier(type)] }
    }

    static func set(_ carrier: Carrier, for type: MeteringURLProtocol.Type) {
        carriers.withLock { $0[ObjectIdentifier(type)] = carrier }
    }

    /// A class that was not there before, for that carrier.
    static func make(for carrier: Carrier) -> MeteringURLProtocol.Type {
        carriers.withLock { carriers in
            let type = type(numbered: carriers.count + 1)
            carriers[ObjectIdentifier(type)] = carrier
            return type
        }
    }

    /// The number's binary digits, as generic arguments of each other: a name grows with the logarithm of the number.
    private static func type(numbered number: Int) -> MeteringURLProtocol.Type {
        func slot<Number>(_: Number.Type) -> MeteringURLProtocol.Type { SlotURLProtocol<Number>.self }
        func even<Rest>(_: Rest.Type) -> any Any.Type { Even<Rest>.self }
        func odd<Rest>(_: Rest.Type) -> any Any.Type { Odd<Rest>.self }
        var digits: any Any.Type = Never.self
        var rest = number
        while rest > 0 {
            digits = rest.isMultiple(of: 2) ? _openExistential(digits, do: even) : _openExistential(digits, do: odd)
            rest /= 2
        }
        return _openExistential(digits, do: slot)
    }
}
