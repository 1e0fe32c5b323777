import ArgumentParser
import TrafficReports

extension PortRule: ExpressibleByArgument {}

/// The options that say which ports count as one service.
struct PortOptions: ParsableArguments {
    @Option(
        help: """
            Which ports of a host to count as one, named 'host:*': this machine's ports from 32768 up, which the \
            system assigns to test servers (fixed), none (each), or all but the scheme's default port (any).
            """)
    var ports = PortRule.fixed
}
