/// Where the exchanges of a store come from, by one of ``TrafficGrouping/sourceCases``.
package struct ExchangeSources: Hashable, Sendable {
    /// The source of the exchanges from one on, until the next.
    package struct Part: Hashable, Sendable {
        /// The number of the first of these exchanges.
        package var firstExchange: Int64
        /// The source.
        package var name: String

        /// A part from that exchange on.
        package init(firstExchange: Int64, name: String) {
            self.firstExchange = firstExchange
            self.name = name
        }
    }

    private let parts: [Part]

    /// Sources in the order of their exchanges; without any, that of all exchanges is empty.
    package init(_ parts: [Part] = []) {
        self.parts = parts
    }

    /// The source of an exchange; of those before the first part it is that of the first.
    package func name(of exchange: Int64) -> String {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].firstExchange <= exchange { low = middle + 1 } else { high = middle }
        }
        return (low > 0 ? parts[low - 1] : parts.first)?.name ?? ""
    }
}

extension TrafficGrouping {
    /// The attribute of a resource by which exchanges are grouped; nil if it is none.
    package func source(in resource: TrafficResource) -> String? {
        switch self {
        case .service: resource.service
        case .version: resource.version
        case .environment: resource.environment
        case .region: resource.region
        case .carrier: resource.carrier
        case .machine: resource.hostName
        case .platform: resource.os
        default: nil
        }
    }
}
