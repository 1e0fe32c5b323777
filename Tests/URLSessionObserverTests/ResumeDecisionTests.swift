import Foundation
import Testing

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which tasks get a delegate when they are resumed, and which properties of the others are read.
@Suite
struct ResumeDecisionTests {
    /// A task that notes what it is asked, as Foundation's raise an exception for some of it.
    private final class Asked: ResumedTask {
        private(set) var questions: [String] = []
        private let values: (isOrdinary: Bool, isOfBackgroundSession: Bool, hasRun: Bool, isMetered: Bool)
        private let itsState: URLSessionTask.State

        init(
            isOrdinary: Bool = true, isOfBackgroundSession: Bool = false, state: URLSessionTask.State = .suspended,
            hasRun: Bool = false, isMetered: Bool = false
        ) {
            values = (isOrdinary, isOfBackgroundSession, hasRun, isMetered)
            itsState = state
        }

        private func answer<Value>(_ question: String, _ value: Value) -> Value {
            questions.append(question)
            return value
        }

        var isOrdinary: Bool { answer("kind", values.isOrdinary) }
        var isOfBackgroundSession: Bool { answer("background", values.isOfBackgroundSession) }
        var state: URLSessionTask.State { answer("state", itsState) }
        var hasRun: Bool { answer("response", values.hasRun) }
        var isMetered: Bool { answer("delegate", values.isMetered) }
    }

    @Test("Of a download of AVFoundation's only the kind is read, and it is counted")
    func asset() {
        let task = Asked(isOrdinary: false)
        #expect(ResumeDecision(task) == .miss)
        #expect(task.questions == ["kind"])
    }

    @Test("A background session's task gets no delegate, and is counted")
    func background() {
        let task = Asked(isOfBackgroundSession: true)
        #expect(ResumeDecision(task) == .miss)
        #expect(task.questions == ["kind", "background"])
    }

    @Test("A new task gets a delegate; one that has run, or runs, is counted; one that is metered or over is passed")
    func states() {
        #expect(ResumeDecision(Asked()) == .takeMetrics)
        #expect(ResumeDecision(Asked(hasRun: true)) == .miss)
        #expect(ResumeDecision(Asked(hasRun: true, isMetered: true)) == .pass)
        #expect(ResumeDecision(Asked(state: .running)) == .miss)
        #expect(ResumeDecision(Asked(state: .canceling)) == .pass)
        #expect(ResumeDecision(Asked(state: .completed)) == .pass)
    }

    @Test("Foundation's own tasks answer: data, upload, download")
    func real() throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:9/")))
        let tasks: [URLSessionTask] = [
            session.dataTask(with: request), session.uploadTask(with: request, from: Data("x".utf8)),
            session.downloadTask(with: request),
        ]
        for task in tasks { #expect(ResumeDecision(task) == .takeMetrics) }
    }
}
