public import TrafficModel
public import Wireweight

extension TrafficMonitor {
    /// Where a monitor's traffic is shipped to, and how much of it.
    ///
    /// ```swift
    /// var shipping = TrafficMonitor.Shipping.to("clickhouses://traffic.example.com:443/fleet", token: "…")
    /// shipping.sums = .days
    /// shipping.details = 0.1
    /// shipping.cohort = 0.01
    /// ```
    ///
    /// A collector of OpenTelemetry has an address such as `otlp+https://collector.example.com:4318/`. It gets a span of each
    /// exchange that has ended, and cumulative metrics of each API whenever they have changed.
    public struct Shipping: Sendable {
        /// How much of an exchange leaves the machine; each level includes the ones before.
        ///
        /// Secrets are replaced before anything is stored, so no level has them; bodies are never sent. Later versions may have
        /// more levels.
        public struct Share: Hashable, Sendable, CustomStringConvertible {
            /// Sizes, times, statuses, and what names the API: method, host and URL template.
            public static let templates = Share("templates")
            /// Also paths.
            public static let paths = Share("paths")
            /// Also queries.
            public static let queries = Share("queries")
            /// Also header lines.
            public static let headers = Share("headers")
            /// Also addresses, messages of failures and digests of bodies.
            public static let all = Share("all")

            /// The name in this API.
            public let description: String

            private init(_ name: String) { description = name }
        }

        /// The slots of time whose sums are sent.
        ///
        /// Later versions may have other slots.
        public struct Sums: Hashable, Sendable, CustomStringConvertible {
            /// Minutes and hours, for servers whose timelines people look at.
            public static let minutes = Sums("minutes")
            /// Hours.
            public static let hours = Sums("hours")
            /// Days of UTC, for phones.
            public static let days = Sums("days")

            /// The name in this API.
            public let description: String

            private init(_ name: String) { description = name }
        }

        /// How much of an exchange leaves the machine.
        public var share = Share.templates
        /// The share of an installation's exchanges that are sent one by one, from 0 to 1; sums are of all.
        public var details = 1.0
        /// The share of the installations that send exchanges one by one, from 0 to 1; sums are of all.
        ///
        /// The store's random identity decides, so an installation is always among them or never.
        public var cohort = 1.0
        /// The slots of time whose sums are sent.
        public var sums = Sums.hours
        /// Whether the store is audited, at most once an hour, and what was found is sent; of a cohort alone if there is one.
        ///
        /// An audit examines the newest 50,000 exchanges. A finding has the rule, the API and figures, and no text of
        /// headers or paths.
        public var audits = true
        /// The most bytes that are sent in an hour; nil for no limit.
        ///
        /// What counts is the compressed content of the requests.
        public var bytesPerHour: ByteCount?
        /// Returns whether a batch may be sent now; asked before each, on a thread of its own.
        ///
        /// An app can wait for Wi-Fi, for power, or until it is in the foreground. While it returns false, it is asked again
        /// every five seconds.
        public var mayShip: @Sendable () -> Bool = { true }

        let url: String
        let login: Login

        enum Login: Sendable {
            case token(String)
            case user(String?, password: String?)
            case headers([String: String])
        }

        /// Ships to a gateway in front of ClickHouse, or to a collector of OpenTelemetry.
        ///
        /// - Parameters:
        ///   - url: `clickhouse://HOST:PORT/DATABASE` with the port of the HTTP interface, `clickhouses://` with TLS, or
        ///     `otlp+https://HOST:PORT/`.
        ///   - token: what the other end wants to see in `Authorization: Bearer` (RFC 6750). A token in an app is public.
        /// - Returns: the destination, with the default settings.
        public static func to(_ url: String, token: String) -> Shipping { Shipping(url, .token(token)) }

        /// Ships to a collector of OpenTelemetry, over OTLP/HTTP with Protocol Buffers.
        ///
        /// - Parameters:
        ///   - url: `otlp+https://HOST:PORT/`, or `otlp+http://` without TLS.
        ///   - headers: header fields of each request by their names, such as a token. They come before those in the variable
        ///     `OTEL_EXPORTER_OTLP_HEADERS` of the environment.
        /// - Returns: the destination, with the default settings.
        public static func to(_ url: String, headers: [String: String]) -> Shipping { Shipping(url, .headers(headers)) }

        /// Ships to ClickHouse, or to a collector of OpenTelemetry with the headers that the environment has.
        ///
        /// - Parameters:
        ///   - url: `clickhouse://HOST:PORT/DATABASE` with the port of the HTTP interface, `clickhouses://` with TLS, or
        ///     `otlp+https://HOST:PORT/`.
        ///   - user: a user of ClickHouse that may insert; nil for the default user.
        ///   - password: the user's password.
        /// - Returns: the destination, with the default settings.
        public static func to(_ url: String, user: String? = nil, password: String? = nil) -> Shipping {
            Shipping(url, .user(user, password: password))
        }

        private init(_ url: String, _ login: Login) {
            self.url = url
            self.login = login
        }
    }
}
