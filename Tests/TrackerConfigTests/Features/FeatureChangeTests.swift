import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// Listeners.
@Suite("Changes of features", .endsWhenItHangs)
struct FeatureChangeTests {
    private let shop = FeatureService()
    private let seen = Locked<[FeatureChange<FeatureValues>]>([])

    private var changes: [FeatureChange<FeatureValues>] {
        seen.withLock { changes in
            defer { changes = [] }
            return changes
        }
    }

    private func listen(to feature: String?, _ setup: Setup) -> Subscription {
        setup.features.onChange(of: feature) { [seen] change in seen.withLock { $0.append(change) } }
    }

    private static func feature(_ value: Int) -> String { #"{"enabled":true,"variables":{"x":{"value":\#(value)}}}"# }

    private static func values(_ value: Int) -> FeatureValues {
        FeatureValues(isEnabled: true, variables: ["x": .int(value)])
    }

    @Test(
        "the current value first, then old and new of each real change; others' changes and equal documents give nothing"
    )
    func oneFeature() async throws {
        shop.publish(1, #"{"a":\#(Self.feature(1)),"b":\#(Self.feature(1))}"#)
        let setup = try await shop.start()
        _ = listen(to: "a", setup)
        #expect(changes == [FeatureChange(feature: "a", old: nil, new: Self.values(1))])
        await shop.apply(2, #"{"a":\#(Self.feature(1)),"b":\#(Self.feature(2))}"#, to: setup)
        #expect(changes == [])
        await shop.apply(3, #"{"a":\#(Self.feature(3)),"b":\#(Self.feature(2))}"#, to: setup)
        #expect(changes == [FeatureChange(feature: "a", old: Self.values(1), new: Self.values(3))])
        await shop.apply(4, #"{"b":\#(Self.feature(3)),"a":\#(Self.feature(3))}"#, to: setup)
        await setup.refresh()
        #expect(changes == [])
        await shop.apply(5, "{}", to: setup)
        #expect(changes == [FeatureChange(feature: "a", old: Self.values(3), new: nil)])
        await shop.apply(6, "{}", to: setup)
        #expect(changes == [])
        await shop.apply(7, #"{"a":\#(Self.feature(1))}"#, to: setup)
        #expect(changes == [FeatureChange(feature: "a", old: nil, new: Self.values(1))])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a number that is written in another way is no change, and no reason to record an exposure again")
    func spelling() async throws {
        func features(_ number: String) -> String {
            #"{"a":{"variables":{"x":{"value":\#(number)},"list":{"value":[{"y":\#(number)}]}},"metadata":{"n":\#(number)}}}"#
        }
        func experiments(_ number: String) -> String {
            #"[{"id":"e","variants":[{"name":"only","values":{"b":{"z":\#(number)}}}]}]"#
        }
        shop.publish(1, features("1"), experiments: experiments("1"))
        let setup = try await shop.start { $0.experiments.exposureNamespaces = ["a"] }
        _ = listen(to: nil, setup)
        _ = changes
        let context = FeatureContext(userID: "u-1")
        for (version, number) in [(2, "1.0"), (3, "1e0"), (4, "1")] {
            #expect(setup.features.value("b", variable: "z", default: 0, for: context) == 1)
            await shop.apply(version, features(number), experiments: experiments(number), to: setup)
            #expect(changes == [])
        }
        #expect(setup.features.value("b", variable: "z", default: 0, for: context) == 1)
        #expect(setup.experiments.counters.exposuresTracked == 1)
        await shop.apply(5, features("1.5"), experiments: experiments("1.5"), to: setup)
        #expect(changes.map(\.feature) == ["a"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("what changes below an override changes nothing, and an override does")
    func overridden() async throws {
        shop.publish(1, #"{"a":\#(Self.feature(1))}"#)
        let setup = try await shop.start()
        try setup.features.overrides.set(9, for: "a", variable: "x")
        _ = listen(to: "a", setup)
        _ = changes
        await shop.apply(2, #"{"a":\#(Self.feature(2))}"#, to: setup)
        #expect(changes == [])
        try setup.features.overrides.remove("a", variable: "x")
        #expect(changes == [FeatureChange(feature: "a", old: Self.values(9), new: Self.values(2))])
        try setup.features.overrides.set(2, for: "a", variable: "x")
        #expect(changes == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test("all features: each that is there first, then each that changed")
    func allFeatures() async throws {
        shop.publish(1, #"{"b":\#(Self.feature(1)),"a":\#(Self.feature(1)),"c":\#(Self.feature(1))}"#)
        let setup = try await shop.start()
        let observation = listen(to: nil, setup)
        #expect(changes.map(\.feature) == ["a", "b", "c"])
        await shop.apply(2, #"{"b":\#(Self.feature(2)),"a":\#(Self.feature(1)),"d":\#(Self.feature(1))}"#, to: setup)
        let second = changes
        #expect(second.map(\.feature) == ["b", "c", "d"])
        #expect(second.map { $0.new == nil } == [false, true, false])
        observation.cancel()
        await shop.apply(3, "{}", to: setup)
        #expect(changes == [])
        await setup.shutdown(timeout: .zero)
    }

    @Test(
        "a variable as a type: its value, changes, nil where it is gone or of another type; cancelling ends the sequence"
    )
    func variable() async throws {
        shop.publish(1, #"{"a":\#(Self.feature(1))}"#)
        let setup = try await shop.start()
        let stream = setup.features.changes(of: "a", variable: "x", as: Int.self)
        await shop.apply(2, #"{"a":{"enabled":false,"variables":{"x":{"value":1},"y":{"value":1}}}}"#, to: setup)
        await shop.apply(3, #"{"a":\#(Self.feature(3))}"#, to: setup)
        await shop.apply(4, #"{"a":{"variables":{"x":{"value":"text"}}}}"#, to: setup)
        await shop.apply(5, #"{"a":{"variables":{"x":{"value":"another"}}}}"#, to: setup)
        await shop.apply(6, #"{"a":\#(Self.feature(6))}"#, to: setup)
        let expected: [FeatureChange<Int>] = [
            FeatureChange(feature: "a", old: nil, new: 1), FeatureChange(feature: "a", old: 1, new: 3),
            FeatureChange(feature: "a", old: 3, new: nil), FeatureChange(feature: "a", old: nil, new: 6),
        ]
        let task = Task {
            var changes: [FeatureChange<Int>] = []
            for await change in stream {
                changes.append(change)
                // From here on only the end of the task ends the loop.
                if changes.count == expected.count { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return changes
        }
        #expect(await task.value == expected)
        await setup.shutdown(timeout: .zero)
    }

    @Test("a change comes after the update that brought it, and reads what it tells of")
    func order() async throws {
        shop.publish(1, #"{"a":\#(Self.feature(1))}"#)
        let trace = Locked<[String]>([])
        let setup = try shop.service.start(onSuccess: { update in
            let value = update.features.value("a", variable: "x", default: 0)
            trace.withLock { $0.append("update \(value)") }
        })
        await shop.service.settled()
        setup.features.onChange(of: "a") { [weak setup] change in
            let value = setup?.features.value("a", variable: "x", default: 0)
            trace.withLock { $0.append("change \(change.new?.variables["x"]?.int ?? 0), \(value ?? 0)") }
        }
        await shop.apply(2, #"{"a":\#(Self.feature(2))}"#, to: setup)
        #expect(trace.withLock { $0 } == ["update 1", "change 1, 1", "update 2", "change 2, 2"])
        await setup.shutdown(timeout: .zero)
    }

    @Test("a listener may set overrides, and others come and go: each change is told once, in order")
    func reentrant() async throws {
        shop.publish(1, #"{"a":\#(Self.feature(1))}"#)
        let setup = try await shop.start()
        setup.features.onChange(of: "a") { [weak setup, seen] change in
            seen.withLock { $0.append(change) }
            guard let setup, change.old != nil else { return }
            let value = change.new?.variables["x"]?.int ?? 0
            if value < 5 { try? setup.features.overrides.set(value + 1, for: "a", variable: "x") }
        }
        let second = Locked<[FeatureValues?]>([])
        setup.features.onChange(of: "a") { change in second.withLock { $0.append(change.new) } }
        _ = changes
        try setup.features.overrides.set(3, for: "a", variable: "x")
        #expect(changes.map(\.new) == [3, 4, 5].map(Self.values))
        #expect(second.withLock { $0 } == [1, 3, 4, 5].map(Self.values))
        let count = Locked(0)
        setup.features.onChange(of: "a") { _ in count.withLock { $0 += 1 } }.cancel()
        try setup.features.overrides.set(1, for: "a", variable: "x")
        #expect(count.withLock { $0 } == 1)
        await setup.shutdown(timeout: .zero)
    }

    @Test("changes from many threads are told one at a time, and the last that is told is the last that is in effect")
    func concurrent() async throws {
        shop.publish(1, "{}")
        let setup = try await shop.start()
        let told = Locked<(last: Int?, isBusy: Bool, overlaps: Int, broken: Int)>((nil, false, 0, 0))
        setup.features.onChange(of: "a", variable: "x", as: Int.self) { change in
            told.withLock { told in
                if told.isBusy { told.overlaps += 1 }
                told.isBusy = true
                if change.old != told.last { told.broken += 1 }
                told.last = change.new
            }
            // Long enough for another thread to come in, if it could.
            for _ in 0..<20 { _ = setup.features.values(of: "a") }
            told.withLock { $0.isBusy = false }
        }
        await Threads.run(4) { thread in
            for step in 0..<25 {
                try? setup.features.overrides.set(thread * 1000 + step, for: "a", variable: "x")
            }
        }
        let (last, _, overlaps, broken) = told.withLock { $0 }
        #expect(last == setup.features.value("a", variable: "x", default: -1))
        #expect(overlaps == 0)
        #expect(broken == 0)
        await setup.shutdown(timeout: .zero)
    }

    @Test("another way to write the same value of a type is no change of the variable")
    func sameValue() async throws {
        shop.publish(1, #"{"a":{"variables":{"x":{"value":3}}}}"#)
        let setup = try await shop.start()
        let told = Locked<[FeatureChange<Int>]>([])
        setup.features.onChange(of: "a", variable: "x", as: Int.self) { change in told.withLock { $0.append(change) } }
        for (version, text) in [(2, "\"3\""), (3, "3.0"), (4, "4")] {
            await shop.apply(version, #"{"a":{"variables":{"x":{"value":\#(text)}}}}"#, to: setup)
        }
        let expected = [FeatureChange(feature: "a", old: nil, new: 3), FeatureChange(feature: "a", old: 3, new: 4)]
        #expect(told.withLock { $0 } == expected)
        await setup.shutdown(timeout: .zero)
    }
}
