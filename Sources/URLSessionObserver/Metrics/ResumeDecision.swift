internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What the hook of `resume` asks of a task.
protocol ResumedTask {
    /// Whether it is of a kind that makes HTTP requests, and that has all properties of a task.
    var isOrdinary: Bool { get }
    var isOfBackgroundSession: Bool { get }
    var state: URLSessionTask.State { get }
    /// Whether it ran before, and was suspended.
    var hasRun: Bool { get }
    /// Whether it has a delegate of ours.
    var isMetered: Bool { get }
}

/// What to do with a task that is resumed for the first time since the hook is there.
enum ResumeDecision: Hashable {
    /// It gets a delegate that takes its metrics.
    case takeMetrics
    /// It is left alone, and counted as not metered.
    case miss
    /// It is metered already, or over.
    case pass

    /// Reads no more than it needs, because some kinds of task raise an exception when a property is read.
    init(_ task: some ResumedTask) {
        self = Self.decision(on: task)
    }

    private static func decision(on task: some ResumedTask) -> Self {
        // AVFoundation's downloads have no request and no response (open-telemetry/opentelemetry-swift#447,
        // DataDog/dd-sdk-ios#2750), and a background session's tasks must not get a delegate
        // (wordpress-mobile/WordPress-iOS#25774). Both raise an exception, so the kind of task comes first.
        guard task.isOrdinary, !task.isOfBackgroundSession else { return .miss }
        switch task.state {
        case .suspended where task.isMetered: return .pass
        // A delegate cannot be set after the first `resume`, which was before the hook.
        case .suspended: return task.hasRun ? .miss : .takeMetrics
        case .running: return .miss
        default: return .pass
        }
    }
}

extension URLSessionTask: ResumedTask {
    var isOrdinary: Bool {
        self is URLSessionDataTask || self is URLSessionDownloadTask || self is URLSessionWebSocketTask
    }

    // No public property shows it, so this looks at the name of the class. If the name should change, Foundation refuses
    // the delegate, which is caught.
    var isOfBackgroundSession: Bool { NSStringFromClass(type(of: self)).contains("Background") }

    var hasRun: Bool { countOfBytesSent > 0 || countOfBytesReceived > 0 || response != nil || error != nil }

    var isMetered: Bool { delegate is MetricsDelegate }
}
