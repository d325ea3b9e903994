import Testing
import TrackerTesting

/// Expects that a check finds broken promises, given by the beginnings of their sentences.
func expectBroken(
    _ promises: [String], sourceLocation: SourceLocation = #_sourceLocation, by check: () async throws -> Void
) async {
    do {
        try await check()
        Issue.record("no promise is found broken", sourceLocation: sourceLocation)
    } catch {
        let broken = (error as? ConformanceError)?.broken ?? []
        for promise in promises {
            #expect(broken.contains { $0.hasPrefix(promise) }, "\(error)", sourceLocation: sourceLocation)
        }
    }
}
