import Foundation
import TrafficModel
import TrafficOrigin

/// Runs one scenario with a new origin and a newly started observer.
struct ScenarioRun {
    private let conformance: ObserverConformance
    private let scenario: Scenario
    private let gate = Gate()
    private let sink = RecordingSink()

    init(_ conformance: ObserverConformance, _ scenario: Scenario) {
        self.conformance = conformance
        self.scenario = scenario
    }

    /// Runs the scenario.
    ///
    /// - Throws: an error if the origin or the observer cannot be started.
    func observe() async throws -> Observation {
        let (scenario, gate) = (scenario, gate)
        let origin = LoopbackOrigin { scenario.script(for: $0, gate: gate) }
        let closed = try ClosedPort()
        try origin.start()
        do {
            let observer = try await conformance.start(conformance.storage(sink))
            var observation = Observation(scenario: scenario, ports: [Int(origin.port), Int(closed.number)])
            let calls = scenario.steps.map { ($0, call($0, origin: origin, closed: closed)) }
            switch scenario {
            case .stopped: await makeCallsAroundStop(calls, observer, origin, &observation)
            case .concurrent: await makeCallsAtOnce(calls, observer, &observation)
            default: await makeCallsInTurn(calls, observer, &observation)
            }
            if scenario != .stopped {
                await settle(observer, origin, calls: calls, observation)
                await observer.stop()
            }
            observation.events = sink.events
            observation.exchanges = origin.exchanges
            await stop(origin)
            return observation
        } catch {
            await stop(origin)
            throw error
        }
    }

    private typealias Call = (Scenario.Step, ConformanceCall)

    private func call(_ step: Scenario.Step, origin: LoopbackOrigin, closed: ClosedPort) -> ConformanceCall {
        let address = step.isRefused ? "http://127.0.0.1:\(closed.number)" : origin.address
        return ConformanceCall(
            name: step.name, method: step.method, url: "\(address)/\(step.name)\(step.rest)", fields: step.fields,
            body: step.body, timeout: step.timeout, origin: origin)
    }

    private func makeCallsInTurn(_ calls: [Call], _ observer: any ConformingObserver, _ observation: inout Observation)
        async
    {
        for (step, call) in calls {
            guard step.isCancelled else {
                observation.results[step.name] = await observer.send(call)
                continue
            }
            let running = Task { await observer.send(call) }
            _ = await eventually(seconds: conformance.patience) { gate.isOpen }
            // Give the client time to read the bytes that the kernel has; nothing signals when it has.
            try? await Task.sleep(nanoseconds: 200_000_000)
            running.cancel()
            observation.results[step.name] = await running.value
        }
    }

    private func makeCallsAtOnce(_ calls: [Call], _ observer: any ConformingObserver, _ observation: inout Observation)
        async
    {
        let results = await withTaskGroup(of: (String, ConformanceResult).self) { group in
            for (step, call) in calls { group.addTask { (step.name, await observer.send(call)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        observation.results = results
    }

    /// Stops the observer during the first call, and makes the second call afterwards.
    private func makeCallsAroundStop(
        _ calls: [Call], _ observer: any ConformingObserver, _ origin: LoopbackOrigin,
        _ observation: inout Observation
    ) async {
        guard calls.count == 2 else { return }
        let (first, second) = (calls[0], calls[1])
        let running = Task { await observer.send(first.1) }
        _ = await eventually(seconds: conformance.patience) { origin.exchanges.contains { $0.parsed != nil } }
        await observer.flush()
        await observer.stop()
        observation.countAtStop = sink.events.count
        gate.open()
        observation.results[first.0.name] = await running.value
        observation.results[second.0.name] = await observer.send(second.1)
        await observer.flush()
        // Give the observer time to report events that it must not report.
        try? await Task.sleep(nanoseconds: 300_000_000)
    }

    /// Waits until the observer has reported the end of every exchange.
    private func settle(
        _ observer: any ConformingObserver, _ origin: LoopbackOrigin, calls: [Call], _ observation: Observation
    ) async {
        _ = await eventually(seconds: conformance.patience) { origin.waitUntilIdle(seconds: 0.005) }
        await observer.flush()
        let refused = calls.count { $0.0.isRefused }
        _ = await eventually(seconds: conformance.patience) {
            var soFar = observation
            soFar.events = sink.events
            return soFar.ends.count >= origin.exchanges.count + refused
        }
    }

    /// Stops the origin on another thread than those that tasks share, because it waits for the origin's threads.
    private func stop(_ origin: LoopbackOrigin) async {
        gate.open()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                origin.stop()
                continuation.resume()
            }
        }
    }
}
