#if canImport(ObjectiveC)
    internal import Foundation
    internal import Locks

    /// Takes the client's first answer to a challenge, and passes it to the inner task.
    ///
    /// `@unchecked Sendable`: NSObject is not Sendable; all mutable state is inside the mutex.
    final class ChallengeAnswer: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
        typealias Proceed = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

        private let proceed: Mutex<Proceed?>

        init(_ proceed: @escaping Proceed) { self.proceed = Mutex(proceed) }

        private func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil) {
            // The completion handler must be called only once, but a client may answer twice.
            let proceed = proceed.withLock { proceed in
                defer { proceed = nil }
                return proceed
            }
            proceed?(disposition, credential)
        }

        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
            answer(.useCredential, credential)
        }

        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answer(.useCredential) }

        func cancel(_ challenge: URLAuthenticationChallenge) { answer(.cancelAuthenticationChallenge) }

        func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answer(.performDefaultHandling) }

        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
            answer(.rejectProtectionSpace)
        }
    }
#endif
