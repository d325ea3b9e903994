import TestSupport
import Testing
import TrackerFeatures

/// The bounds of what features remember.
@Suite("Features: bounds of memory", .endsWhenItHangs)
struct FeatureBoundTests {
    private func remote(_ version: Int, _ names: some Sequence<String>) -> FeatureStore.Remote {
        let features = names.map { name in
            FeatureDefinition(
                name: name, isEnabled: false, rules: [FeatureRule(id: "r", isEnabled: true)])
        }
        return FeatureStore.Remote(version: version, features: features, experiments: [])
    }

    @Test("of the features that documents no longer have the last 10,000 are remembered, those in use in any case")
    func usage() {
        let features = Features()
        for version in 1...4 {
            let names = (0..<4000).map { "v\(version)-\($0)" } + ["kept"]
            _ = features.replaceDocument(by: remote(version, names))
            features.store.listeners.release()
            #expect(names.allSatisfy { features.isEnabled($0) })
            _ = features.usage
        }
        let usage = features.usage
        #expect(usage.count == 10_000 + 4001)
        #expect(usage.first { $0.feature == "kept" }?.evaluations == [.targetingMatch: 4])
        #expect(usage.contains { $0.feature == "v4-7" && $0.lastEvaluation != nil })
        // Read last, so remembered longest.
        #expect(usage.contains { $0.feature == "v3-7" })
    }

    @Test("changes that wait for a listener are delivered as one from the hundredth on, up to the last")
    func listeners() {
        let features = Features()
        let seen = Locked<[Int]>([])
        features.onChange(of: "f") { change in
            let value = change.new?.variables["x"].flatMap { if case .int(let value) = $0 { value } else { nil } }
            seen.withLock { $0.append(value ?? 0) }
            guard value == 1 else { return }
            // While this one runs, no other change is delivered.
            for value in 2...200 { try? features.overrides.set(value, for: "f", variable: "x") }
        }
        try? features.overrides.set(1, for: "f", variable: "x")
        let values = seen.withLock { $0 }
        #expect(values.prefix(100) == ArraySlice(1...100))
        #expect(values.count == 101)
        #expect(values.last == 200)
    }
}
