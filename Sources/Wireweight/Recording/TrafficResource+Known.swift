internal import Foundation
internal import Observing
package import TrafficModel

extension TrafficResource {
    /// What is known of this process: what was given, then the variables of OpenTelemetry, then the machine.
    package static func known(_ given: TrafficResource = TrafficResource()) -> TrafficResource {
        given.completed(by: TrafficResource(environment: ProcessInfo.processInfo.environment)).completed(by: .current)
    }
}
