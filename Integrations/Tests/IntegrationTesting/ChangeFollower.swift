import Synchronization
package import TrackerConfig
import TrackerFeatures

/// What a setup does with the hints of a source, without its pauses and without polls: it fetches at each, and opens the next connection
/// when one has ended.
package final class ChangeFollower: Sendable {
    package struct State: Sendable {
        /// The text of the document that came last.
        package var text: String?
        package var connections = 0
        package var isConnected = false
        /// The hints but the first of each connection.
        package var hints: [ChangeHint] = []
        package var failures: [FetchError] = []
        var validators: DocumentValidators?
    }

    private let state: Shared
    private let task: Task<Void, Never>

    private final class Shared: Sendable {
        let value = Mutex(State())
    }

    /// Starts to follow a source.
    /// - Parameters:
    ///   - source: The source.
    ///   - reconnects: Whether it opens another connection when one has ended.
    package init(_ source: any ConfigurationSource, reconnects: Bool = true) {
        let state = Shared()
        self.state = state
        task = Task {
            repeat {
                do {
                    for try await hint in source.changes() ?? AsyncThrowingStream(unfolding: { nil }) {
                        await Self.take(hint, state, source)
                    }
                } catch {
                    if let failure = error as? FetchError { state.value.withLock { $0.failures.append(failure) } }
                }
                state.value.withLock { $0.isConnected = false }
                try? await Task.sleep(for: .milliseconds(1))
            } while reconnects && !Task.isCancelled
        }
    }

    private static func take(_ hint: ChangeHint, _ state: Shared, _ source: any ConfigurationSource) async {
        await fetch(state, source)
        state.value.withLock { state in
            if state.isConnected { return state.hints.append(hint) }
            state.connections += 1
            state.isConnected = true
        }
    }

    private static func take(_ document: FetchedDocument, _ state: Shared) {
        let text = String(decoding: document.bytes, as: UTF8.self)
        state.value.withLock { ($0.text, $0.validators) = (text, document.validators) }
    }

    /// Fetches until there is an answer, as a setup does until the next poll.
    private static func fetch(_ state: Shared, _ source: any ConfigurationSource) async {
        while !Task.isCancelled {
            do throws(FetchError) {
                let validators = state.value.withLock { $0.validators }
                if let document = try await source.fetch(validators) { take(document, state) }
                return
            } catch {
                if error.status == 404 || error.code == .tooLarge { return }
                try? await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    /// Waits until something is so.
    /// - Returns: Whether it is.
    package func wait(_ isSo: (State) -> Bool) async throws -> Bool {
        try await eventually { isSo(state.value.withLock { $0 }) }
    }

    /// What has come so far.
    package var current: State { state.value.withLock { $0 } }

    /// Stops.
    package func stop() async {
        task.cancel()
        await task.value
    }
}
