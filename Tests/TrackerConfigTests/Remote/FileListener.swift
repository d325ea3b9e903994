import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

/// What a setup does with the hints of a file, without its pauses: it fetches at each, and opens the next connection when one has ended.
final class FileListener: Sendable {
    struct State: Sendable {
        var isConnected = false
        var failure: FetchError?
        /// The hints but the first of each connection.
        var hints = 0
        /// The text that was fetched last; nil if there was none.
        var text: String?
    }

    private let state = Locked(State())
    private let task: Task<Void, Never>

    init(_ source: FileSource) {
        task = Task { [state] in
            while !Task.isCancelled {
                do {
                    for try await _ in source.changes() ?? AsyncThrowingStream(unfolding: { nil }) {
                        let text = await FileSource.fetched(source).text
                        state.withLock { state in
                            state.text = text
                            if state.isConnected { state.hints += 1 }
                            state.isConnected = true
                        }
                    }
                    state.withLock { $0.isConnected = false }
                } catch {
                    state.withLock { ($0.isConnected, $0.failure) = (false, error as? FetchError) }
                }
                await Task.yield()
            }
        }
    }

    var current: State { state.withLock { $0 } }

    /// Waits until something is so.
    func wait(sourceLocation: SourceLocation = #_sourceLocation, _ isSo: (State) -> Bool) async throws {
        try await waitUntil("the listener has seen the change", sourceLocation: sourceLocation) { isSo(current) }
    }

    /// Closes the connection.
    func close() async {
        task.cancel()
        await task.value
    }
}
