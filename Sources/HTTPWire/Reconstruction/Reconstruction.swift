import TrafficModel

/// Computes the size of a message on the wire from what an API shows of it.
package enum Reconstruction {
    /// The size of the request that the platform's loader makes of the shown one.
    package static func request(_ shown: ShownRequest, profile: PlatformProfile) -> Estimate {
        RequestEstimator(shown, profile: profile).estimate
    }

    /// The size of the response that the platform's loader shows in this way.
    package static func response(_ shown: ShownResponse, profile: PlatformProfile) -> Estimate {
        ResponseEstimator(shown, profile: profile).estimate
    }
}

/// A part while it is computed: its bytes, its largest error whatever the other end writes, and its usual largest
/// error.
struct Figure {
    var bytes: Int64?
    var bound: Int64?
    var usualBound: Int64?

    /// An exact number of bytes.
    init(_ bytes: Int64) {
        self.init(bytes, bound: 0, usualBound: 0)
    }

    init(_ bytes: Int64?, bound: Int64?, usualBound: Int64?) {
        self.bytes = bytes
        self.bound = bound
        self.usualBound = usualBound
    }

    static let unknown = Figure(nil, bound: nil, usualBound: nil)

    static func + (left: Figure, right: Figure) -> Figure {
        func sum(_ left: Int64?, _ right: Int64?) -> Int64? {
            guard let left, let right else { return nil }
            return left.addingClamped(right)
        }
        return Figure(
            sum(left.bytes, right.bytes), bound: sum(left.bound, right.bound),
            usualBound: sum(left.usualBound, right.usualBound))
    }

    /// The same bytes, without a bound for their error.
    var unbounded: Figure { Figure(bytes, bound: nil, usualBound: usualBound) }

    var part: WireSize.Part { bytes.map { .init(ByteCount($0), .reconstructed) } ?? .unknown }
}

extension Estimate {
    init(startLine: Figure, fields: Figure, cookies: Figure, interim: Figure, body: Figure, framing: Figure) {
        func bound(_ path: KeyPath<Figure, Int64?>) -> Bound {
            Bound(
                startLine: startLine[keyPath: path], fields: fields[keyPath: path], cookies: cookies[keyPath: path],
                interim: interim[keyPath: path], body: body[keyPath: path], framing: framing[keyPath: path])
        }
        self.init(
            size: WireSize(
                startLine: startLine.part, fields: fields.part, cookies: cookies.part, interim: interim.part,
                body: body.part, framing: framing.part),
            bound: bound(\.bound), usualBound: bound(\.usualBound))
    }
}
