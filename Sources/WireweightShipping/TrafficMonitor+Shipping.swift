internal import ClickHouse
internal import TrafficShipping
internal import TrafficStore
public import Wireweight

extension TrafficMonitor {
    /// Sends what this monitor stores to ClickHouse or to a collector of OpenTelemetry, until the monitor stops.
    ///
    /// ```swift
    /// let shipment = try monitor.startShipping(.to("clickhouses://traffic.example.com:443/fleet", token: "…"))
    /// ```
    ///
    /// The store is the queue: what could not be sent before the program ended is sent by the next `startShipping` or by
    /// `wireweight ship`. Exchanges are sent once they have ended, sums every minute. The uploads are metered like all
    /// requests of this process, and their `User-Agent` is `wireweight`; they are not shipped, nor is anything else that goes to
    /// the same host and port.
    ///
    /// - Parameter shipping: where to, and how much.
    /// - Returns: what has been sent so far.
    /// - Throws: ``MonitorError`` if the address or a share is not valid, or the store cannot be read.
    @discardableResult
    public func startShipping(_ shipping: Shipping) throws(MonitorError) -> Shipment {
        let shipment: Shipment
        do {
            let destination = try shipping.destination()
            shipment = Shipment(destination)
            try shipment.start(from: configuration.store, shipping.options(to: destination), shipping.mayShip)
        } catch let error as ClickHouseError {
            throw MonitorError(code: .cannotShip, message: error.message, cause: error)
        } catch let error as CollectorError {
            throw MonitorError(code: .cannotShip, message: error.description, cause: error)
        } catch let error as MonitorError {
            throw error
        } catch {
            throw MonitorError(storing: error)
        }
        atStop { shipment.stop() }
        return shipment
    }
}
