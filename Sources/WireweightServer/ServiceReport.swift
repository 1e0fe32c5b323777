#if Server
    internal import Logging
    internal import TrafficModel
    internal import Wireweight

    /// What a service has logged and counted so far.
    struct ServiceReport {
        private let logger: Logger
        private var metrics: APIMetrics
        private var notices = LossNotices()
        private var error: String?
        private var requests: Int64 = 0
        private var bytes = ByteFlow.zero

        init(logger: Logger, metrics: APIMetrics) {
            self.logger = logger
            self.metrics = metrics
        }

        /// Passes on what is new.
        mutating func update(from monitor: TrafficMonitor, _ tally: APITally, isLast: Bool = false) {
            let totals = tally.takeTotals()
            metrics.add(totals)
            for total in totals {
                requests += total.requests
                bytes += ByteFlow(up: total.up.total, down: total.down.total)
            }
            let losses = tally.losses.merging(monitor.drops, uniquingKeysWith: +)
            metrics.show(losses)
            log(monitor.lastError)
            for notice in notices.due(losses, at: .now, isLast: isLast) {
                logger.warning(
                    "\(notice.loss.reason.explanation)",
                    metadata: [
                        "reason": "\(notice.loss.reason)", "count": "\(notice.loss.count)", "sum": "\(notice.sum)",
                    ])
            }
            guard isLast else { return }
            logger.info(
                "metering has ended",
                metadata: [
                    "store": "\(monitor.configuration.store)", "requests": "\(requests)",
                    "up_bytes": "\(bytes.up.bytes)", "down_bytes": "\(bytes.down.bytes)",
                    "lost_events": "\(losses.values.reduce(0, +))",
                ])
        }

        private mutating func log(_ current: MonitorError?) {
            guard current?.message != error else { return }
            error = current?.message
            if let current {
                logger.error("the traffic's file cannot be written: \(current)", metadata: ["code": "\(current.code)"])
            } else {
                logger.notice("the traffic's file is written again")
            }
        }
    }
#endif
