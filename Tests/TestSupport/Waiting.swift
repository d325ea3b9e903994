package import Dispatch
package import Testing

/// What a test waits for did not happen.
package struct WaitedInVain: Error, CustomStringConvertible {
    /// How long a test waits: far longer than a busy machine needs.
    package static let bound = Duration.seconds(300)

    private let state: String
    private let place: SourceLocation

    fileprivate init(_ state: String, at place: SourceLocation) {
        (self.state, self.place) = (state, place)
    }

    package var description: String { "waited \(Self.bound) in vain until \(state), at \(place)" }
}

/// Waits for a state that other tasks, threads or processes bring about.
/// - Parameters:
///   - state: The state in words, which complete "waited in vain until …".
///   - sourceLocation: The place of the wait.
///   - isReached: Returns whether the state is reached. It is called at once, then with pauses that grow to 1 ms.
/// - Throws: ``WaitedInVain`` after 300 s, or if the task is cancelled; and what `isReached` throws.
package func waitUntil(
    _ state: String, sourceLocation: SourceLocation = #_sourceLocation, _ isReached: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + WaitedInVain.bound
    var yields = 20
    while try await !isReached() {
        guard ContinuousClock.now < end, !Task.isCancelled else { throw WaitedInVain(state, at: sourceLocation) }
        if yields > 0 {
            yields -= 1
            await Task.yield()
        } else {
            // A cancelled sleep ends at once, and the loop with it.
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}

extension DispatchSemaphore {
    /// Blocks the thread until a signal, in a test that has a thread of its own (``Testing/Trait/mayBlock`` or ``Threads``).
    /// - Parameters:
    ///   - state: The state that the signal reports, in words, which complete "waited in vain until …".
    ///   - sourceLocation: The place of the wait.
    /// - Throws: ``WaitedInVain`` after 300 s.
    package func wait(until state: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        guard wait(timeout: .now() + .seconds(300)) == .success else { throw WaitedInVain(state, at: sourceLocation) }
    }
}
