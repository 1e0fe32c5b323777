import TestSupport
import Testing

@testable import CurlObserver

@Suite struct RefusalMessageTests {
    @Test("a refusal says what is wrong and what to do next", arguments: CurlObserver.Refusal.allCases)
    func next(refusal: CurlObserver.Refusal) {
        #expect(saysWhatToDo(refusal.message), "\(refusal.message)")
    }
}
