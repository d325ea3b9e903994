import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// What a setup does with the signals of a file: it fetches when the connection is open, and at each change.
final class FileListener: Sendable {
    struct State: Sendable {
        var isConnected = false
        var hasEnded = false
        var failure: FetchError?
        var changes = 0
        /// The text that was fetched last; nil if there was none.
        var text: String?
        var hasFailed = false
    }

    private let state: Locked<State>
    private let task: Task<Void, Never>

    init(_ source: FileSource) throws {
        let signals = try #require(source.signals())
        let state = Locked(State())
        self.state = state
        task = Task {
            for await signal in signals {
                if let failure = signal.failure { state.exchange(\.failure, failure) }
                guard [.connected, .changed].contains(signal.kind) else { continue }
                let text = await FileSource.fetched(source).text
                state.withLock { state in
                    (state.text, state.hasFailed) = (text, text == nil)
                    if signal.kind == .connected { state.isConnected = true } else { state.changes += 1 }
                }
            }
            state.exchange(\.hasEnded, true)
        }
    }

    var isConnected: Bool { state.withLock { $0.isConnected } }
    var failure: FetchError? { state.withLock { $0.failure } }
    var changes: Int { state.withLock { $0.changes } }
    var text: String? { state.withLock { $0.text } }
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Waits until something is so, and moves the clock until then if there is one.
    func wait(
        moving time: ManualTime? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ isSo: (State) -> Bool
    ) async throws {
        try await waitUntil("the listener has seen the change", sourceLocation: sourceLocation) {
            if isSo(state.withLock { $0 }) { return true }
            time?.advance(by: .seconds(1))
            return false
        }
    }

    /// Closes the connection.
    func close() async {
        task.cancel()
        await task.value
    }
}
