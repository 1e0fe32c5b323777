import ArgumentParser
import TrafficReports

extension PortRule: ExpressibleByArgument {}

/// The options that say which ports count as one service.
struct PortOptions: ParsableArguments {
    @Option(
        help: """
            Which ports of a host are one service, named 'host:*': those from 32768 on of this machine itself, which \
            test servers get by chance (fixed), none (each), or all but the scheme's own (any).
            """)
    var ports = PortRule.fixed
}
