import TestSupport
import Testing
import TrackerFeatures

@testable import TrackerTesting

@Suite("Conformance of FeatureValueProvider", .endsWhenItHangs)
struct FeatureValueProviderConformanceTests {
    @Test("the values of tests keep all promises")
    func own() async throws {
        let provider = InMemoryProvider(["checkout": true])
        try await Conformance.check(provider, reportsChanges: false) { provider.set(false, for: "checkout") }
    }

    @Test("a file keeps all promises and reports its changes")
    func file() async throws {
        let (directory, time) = (TemporaryDirectory(), ManualTime())
        directory.write(#"{"features":{"checkout":{"enabled":true}}}"#, to: "features.json")
        let provider = JSONFileProvider(path: directory.file("features.json"), every: .seconds(1), time: time)
        try await Conformance.$patience.withValue(WaitedInVain.bound) {
            try await Conformance.check(provider) {
                directory.write(#"{"features":{"checkout":{"enabled":false}}}"#, to: "features.json")
                await time.waitForSleepers()
                time.advance(by: .seconds(1))
            }
        }
    }

    @Test("each broken promise is found", arguments: BrokenProvider.Defect.allCases)
    func broken(defect: BrokenProvider.Defect) async {
        let provider = BrokenProvider(defect)
        await expectBroken([defect.rawValue]) {
            try await Conformance.$patience.withValue(.milliseconds(100)) {
                try await Conformance.check(provider) { provider.change() }
            }
        }
    }
}

/// A provider that breaks one promise.
final class BrokenProvider: FeatureValueProvider {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case counts = "loading twice without a change between returns the same features"
        case servesOne = "loading on several threads at one time returns the same features"
        case reportsNothing = "changes has an element if the features have changed"
        case keepsFirst = "loading after a change returns the new features"
        case fails = "loading throws no error"
    }

    private struct Failure: Error {}

    let name = "broken"
    let changes: AsyncStream<Void>
    private let defect: Defect
    private let report: AsyncStream<Void>.Continuation
    private let state = Locked((loads: 0, isEnabled: true))

    init(_ defect: Defect) {
        self.defect = defect
        (changes, report) = AsyncStream.makeStream()
    }

    func change() {
        state.withLock { $0.isEnabled = false }
        if defect != .reportsNothing { report.yield() }
    }

    func load() throws -> ProvidedFeatures {
        let (loads, isEnabled) = state.withLock { state in
            state.loads += 1
            return state
        }
        var rules: [FeatureRule] = []
        switch defect {
        case .counts: rules = [FeatureRule(id: "\(loads)")]
        // The third load is one of those on several threads.
        case .servesOne where loads > 2: rules = [FeatureRule(id: "busy")]
        case .fails: throw Failure()
        default: break
        }
        return ProvidedFeatures([
            FeatureDefinition(name: "checkout", isEnabled: defect == .keepsFirst || isEnabled, rules: rules)
        ])
    }
}
