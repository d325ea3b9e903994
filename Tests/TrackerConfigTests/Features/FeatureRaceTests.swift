import Dispatch
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// What happens at one time, or from within.
@Suite("Features from many sides", .endsWhenItHangs)
struct FeatureRaceTests {
    private let shop = FeatureService()

    @Test(
        "overrides that threads set at one time are all in effect, each when its call returns",
        arguments: [false, true])
    func overrides(inFile: Bool) async throws {
        let path = shop.service.directory.file("overrides.json")
        let setup = try await shop.start { if inFile { $0.features.overridesFile = path } }
        let features = setup.features
        let lost = Locked(0)
        await Threads.run(4) { thread in
            for step in 1...(inFile ? 20 : 1000) {
                try? features.overrides.set(step, for: "f", variable: "x\(thread)")
                if features.value("f", variable: "x\(thread)", default: 0) != step { lost.withLock { $0 += 1 } }
            }
        }
        #expect(lost.withLock { $0 } == 0)
        #expect(features.snapshot.layers.definitions(of: "f") == features.overrides.features)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a reload while overrides are set loses none of them")
    func reload() async throws {
        let path = shop.service.directory.file("overrides.json")
        let setup = try await shop.start { $0.features.overridesFile = path }
        let features = setup.features
        let lost = Locked(0)
        let mayReload = DispatchSemaphore(value: 0)
        await Threads.run(2) { thread in
            for step in 1...100 {
                if thread == 1 {
                    mayReload.wait()
                    features.reload()
                    continue
                }
                // One reload for each: more would keep the lock of the file from this thread until its wait is over.
                mayReload.signal()
                // On a busy machine a reload may have the lock for longer than the setter waits; then it throws.
                guard (try? features.overrides.set(step, for: "f", variable: "x")) != nil else { continue }
                if features.value("f", variable: "x", default: 0) != step { lost.withLock { $0 += 1 } }
            }
        }
        #expect(lost.withLock { $0 } == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a listener may set an override that is kept in a file")
    func listenerSets() async throws {
        let path = shop.service.directory.file("overrides.json")
        let setup = try await shop.start { $0.features.overridesFile = path }
        let faults = Locked<[String]>([])
        setup.features.onChange(of: "f", variable: "x", as: Int.self) { [weak setup] _ in
            do {
                try setup?.features.overrides.set(true, for: "f", variable: "told")
            } catch {
                faults.withLock { $0.append("\(error)") }
            }
        }
        try setup.features.overrides.set(1, for: "f", variable: "x")
        #expect(faults.withLock { $0 } == [])
        #expect(setup.features.value("f", variable: "told", default: false))
        await setup.shutdown(timeout: .zero)
    }

    /// Answers its first load only when the test says so.
    private final class Slow: FeatureValueProvider {
        let name = "slow"
        let isLoading = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let value = Locked(1)
        let waits = Locked(false)

        func load() -> ProvidedFeatures {
            let value = self.value.withLock { $0 }
            let waits = self.waits.withLock { waits in
                defer { waits = false }
                return waits
            }
            if waits {
                isLoading.signal()
                mayEnd.wait()
            }
            return ProvidedFeatures(FeaturePriorityTests.feature(nil, ["x": .int(value)]))
        }
    }

    @Test("of two loads of a provider at one time, the one that began later counts, whichever ends last")
    func loads() async throws {
        let provider = Slow()
        let setup = try await shop.start { $0.features.providers = [provider] }
        let features = setup.features
        provider.waits.withLock { $0 = true }
        await Threads.run(2) { thread in
            guard thread == 1 else { return features.reload() }
            provider.isLoading.wait()
            provider.value.withLock { $0 = 2 }
            features.reload()
            provider.mayEnd.signal()
        }
        #expect(features.value("f", variable: "x", default: 0) == 2)
        await setup.shutdown(timeout: .zero)
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

    @Test("what a provider tells of right after its first load is not lost")
    func earlyChange() async throws {
        let setup = try await shop.start { $0.features.providers = [Hasty()] }
        for await change in setup.features.changes(of: "f", variable: "x", as: Int.self) where change.new == 2 { break }
        #expect(setup.features.value("f", variable: "x", default: 0) == 2)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a change of features asks no provider for its name, which could come back here")
    func names() async throws {
        let provider = Hasty()
        let setup = try await shop.start { $0.features.providers = [provider] }
        for await change in setup.features.changes(of: "f", variable: "x", as: Int.self) where change.new == 2 { break }
        let before = provider.names
        for step in 0..<10 { try setup.features.overrides.set(step, for: "f", variable: "y") }
        #expect(provider.names == before)
        await setup.shutdown(timeout: .zero)
    }

    /// A value whose end is told.
    private final class Ending: Codable, Sendable {
        static let ends = Locked<(@Sendable () -> Void)?>(nil)

        let number: Int

        init(_ number: Int) { self.number = number }

        deinit {
            let end = Self.ends.withLock { end in
                defer { end = nil }
                return end
            }
            end?()
        }
    }

    @Test("the end of a value that was read may change features")
    func endOfValue() async throws {
        let setup = try await shop.start()
        let features = setup.features
        let variable = Variable(features, "f", variable: "x", default: Ending(0))
        try features.overrides.set(Ending(1), for: "f", variable: "x")
        #expect(variable.value.number == 1)
        try features.overrides.set(Ending(2), for: "f", variable: "x")
        // Inside a read nothing is released, so that the end is known before it comes.
        features.store.domain.read {
            _ = variable.value
            Ending.ends.withLock { $0 = { try? features.overrides.set("ended", for: "f", variable: "y") } }
        }
        try features.overrides.set(3, for: "f", variable: "z")
        for await change in features.changes(of: "f", variable: "y", as: String.self) where change.new == "ended" {
            break
        }
        await setup.shutdown(timeout: .zero)
    }

    /// Adds a listener when it ends.
    private final class Token: Sendable {
        let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    @Test("a listener that is cancelled before it was told anything may end what changes features")
    func cancelledEarly() async throws {
        let setup = try await shop.start()
        let features = setup.features
        let ended = Locked(false)
        let outer = features.onChange(of: "f") { _ in
            let token = Token {
                features.onChange(of: "g") { _ in }.cancel()
                ended.withLock { $0 = true }
            }
            features.onChange(of: "f") { _ in _ = token }.cancel()
        }
        try features.overrides.setEnabled(true, for: "f")
        #expect(ended.withLock { $0 })
        outer.cancel()
        await setup.shutdown(timeout: .zero)
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
