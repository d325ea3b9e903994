import Dispatch
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What happens at one time, or from within.
@Suite("Features from many sides", .endsWhenItHangs)
struct FeatureRaceTests {
    private let directory = TemporaryDirectory()
    private let shop = FeatureService()

    private func features(overridesFile: String? = nil, provider: (any FeatureValueProvider)? = nil) -> Features {
        var options = FeatureOptions()
        options.overridesFile = overridesFile
        options.providers = provider.map { [$0] } ?? []
        return Features(options: options)
    }

    @Test(
        "overrides that threads set at one time are all in effect, each when its call returns",
        arguments: [false, true])
    func overrides(inFile: Bool) async {
        let features = features(overridesFile: inFile ? directory.file("overrides.json") : nil)
        let lost = Locked(0)
        await Threads.run(4) { thread in
            for step in 1...(inFile ? 10 : 100) {
                try? features.overrides.set(step, for: "f", variable: "x\(thread)")
                if features.value("f", variable: "x\(thread)", default: 0) != step { lost.withLock { $0 += 1 } }
            }
        }
        #expect(lost.withLock { $0 } == 0)
        #expect(features.overrides.features.first?.variables.count == 4)
    }

    @Test("a reload while overrides are set loses none of them")
    func reload() async {
        let features = features(overridesFile: directory.file("overrides.json"))
        let (kept, lost) = (Locked(0), Locked(0))
        let mayReload = DispatchSemaphore(value: 0)
        await Threads.run(2) { thread in
            for step in 1...20 {
                if thread == 1 {
                    mayReload.wait()
                    features.reload()
                    continue
                }
                // One reload for each: more would keep the lock of the file from this thread until its wait is over.
                mayReload.signal()
                // On a busy machine a reload may have the lock for longer than the setter waits; then it throws.
                guard (try? features.overrides.set(step, for: "f", variable: "x")) != nil else { continue }
                kept.withLock { $0 += 1 }
                if features.value("f", variable: "x", default: 0) != step { lost.withLock { $0 += 1 } }
            }
        }
        #expect(kept.withLock { $0 } > 0)
        #expect(lost.withLock { $0 } == 0)
    }

    @Test("a listener may set an override that is kept in a file")
    func listenerSets() throws {
        let features = features(overridesFile: directory.file("overrides.json"))
        let faults = Locked<[String]>([])
        features.onChange(of: "f", variable: "x", as: Int.self) { [weak features] _ in
            do {
                try features?.overrides.set(true, for: "f", variable: "told")
            } catch {
                faults.withLock { $0.append("\(error)") }
            }
        }
        try features.overrides.set(1, for: "f", variable: "x")
        #expect(faults.withLock { $0 } == [])
        #expect(features.value("f", variable: "told", default: false))
    }

    /// Answers a load only when the test says so.
    private final class Slow: FeatureValueProvider {
        let name = "slow"
        let isLoading = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let value = Locked(1)
        let waits = Locked(false)

        func load() -> ProvidedFeatures {
            let value = self.value.withLock { $0 }
            if waits.exchange(false) {
                isLoading.signal()
                mayEnd.wait()
            }
            return ProvidedFeatures(FeaturePriorityTests.feature(nil, ["x": .int(value)]))
        }
    }

    @Test("of two loads of a provider at one time, the one that began later counts, whichever ends last")
    func loads() async {
        let provider = Slow()
        let features = features(provider: provider)
        provider.waits.exchange(true)
        await Threads.run(2) { thread in
            guard thread == 1 else { return features.reload() }
            try? provider.isLoading.wait(until: "the first load is under way")
            provider.value.exchange(2)
            features.reload()
            provider.mayEnd.signal()
        }
        #expect(features.value("f", variable: "x", default: 0) == 2)
    }

    /// Has something else to say as soon as it was asked first, and counts what it is asked for.
    private final class Hasty: FeatureValueProvider {
        private let state = Locked<(loads: Int, names: Int, listener: AsyncStream<Void>.Continuation?)>((0, 0, nil))

        var name: String {
            state.withLock { $0.names += 1 }
            return "hasty"
        }
        var names: Int { state.withLock { $0.names } }
        var changes: AsyncStream<Void> {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            state.withLock { $0.listener = continuation }
            return stream
        }

        func load() -> ProvidedFeatures {
            let (loads, listener) = state.withLock { state in
                state.loads += 1
                return (state.loads, state.listener)
            }
            if loads == 1 { listener?.yield() }
            return ProvidedFeatures(FeaturePriorityTests.feature(nil, ["x": .int(min(loads, 2))]))
        }
    }

    @Test("what a provider tells of right after its first load is not lost; a change does not ask for its name again")
    func earlyChange() async throws {
        let provider = Hasty()
        let features = features(provider: provider)
        for await change in features.changes(of: "f", variable: "x", as: Int.self) where change.new == 2 { break }
        #expect(features.value("f", variable: "x", default: 0) == 2)
        // A provider's code could change features itself.
        let before = provider.names
        try features.overrides.set(1, for: "f", variable: "y")
        #expect(provider.names == before)
    }

    @Test("the end of the setup ends the loops over changes; one that begins later tells what there is and ends")
    func ends() async throws {
        let setup = try await shop.start(default: #"{"f":{"enabled":true}}"#)
        let stream = setup.features.changes(of: "f")
        await setup.shutdown(timeout: .zero)
        var changes: [FeatureChange<FeatureValues>] = []
        for await change in stream { changes.append(change) }
        for await change in setup.features.changes() { changes.append(change) }
        let change = FeatureChange(feature: "f", old: nil, new: FeatureValues(isEnabled: true, variables: [:]))
        #expect(changes == [change, change])
    }
}
