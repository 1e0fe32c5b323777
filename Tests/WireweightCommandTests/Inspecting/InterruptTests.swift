import Foundation
import Testing

@testable import WireweightCommand

@Suite("Interrupts")
struct InterruptTests {
    /// Each in a process of its own.
    @Test("one that comes as soon as it is caught is not lost")
    func atOnce() async {
        for _ in 0..<20 {
            await #expect(processExitsWith: .success) {
                let interrupt = Interrupt()
                kill(getpid(), SIGINT)
                interrupt.wait(atMost: 20)
                #expect(interrupt.hasCome)
            }
        }
    }

    @Test("the end of a service is caught, too")
    func terminated() async {
        await #expect(processExitsWith: .success) {
            let interrupt = Interrupt()
            kill(getpid(), SIGTERM)
            interrupt.wait(atMost: 20)
            #expect(interrupt.hasCome)
        }
    }
}
