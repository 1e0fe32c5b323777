internal import Foundation
internal import Locks

/// Makes a class at run time for each metered configuration, because their class is all that protocol objects know
/// about their session.
///
/// Neither a class nor its entry can be removed, because a session made with it may live as long as the process.
enum ConfigurationClasses {
    private enum Even<Rest> {}
    private enum Odd<Rest> {}

    private static let configurations = Mutex<[ObjectIdentifier: MeteredConfiguration]>([:])

    static func metered(of type: MeteringURLProtocol.Type) -> MeteredConfiguration? {
        configurations.withLock { $0[ObjectIdentifier(type)] }
    }

    /// The number of classes that have been made.
    static var count: Int { configurations.withLock { $0.count } }

    static func set(_ metered: MeteredConfiguration, for type: MeteringURLProtocol.Type) {
        configurations.withLock { $0[ObjectIdentifier(type)] = metered }
    }

    /// Makes a new class for a configuration.
    static func make(for metered: MeteredConfiguration) -> MeteringURLProtocol.Type {
        configurations.withLock { configurations in
            let type = type(numbered: configurations.count + 1)
            configurations[ObjectIdentifier(type)] = metered
            return type
        }
    }

    /// Encodes the number's binary digits as nested generic arguments, so that names grow with the logarithm of the
    /// number.
    private static func type(numbered number: Int) -> MeteringURLProtocol.Type {
        func slot<Number>(_: Number.Type) -> MeteringURLProtocol.Type { ConfigurationURLProtocol<Number>.self }
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
