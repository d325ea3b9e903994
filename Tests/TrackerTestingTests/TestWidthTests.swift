import TestSupport
import Testing
import TrackerCore

@Suite("The tests", .endsWhenItHangs)
struct TestWidthTests {
    private static let running = Locked(0)

    @Test("run few at a time", arguments: 0..<200)
    func width(number: Int) async throws {
        let bound = try #require(TestWidth.current)
        let count = Self.running.withLock { running in
            running += 1
            return running
        }
        // Without the bound all cases begin before the first ends.
        for _ in 0..<20 { await Task.yield() }
        Self.running.withLock { $0 -= 1 }
        #expect(count <= bound)
    }
}
