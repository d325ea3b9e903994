/// One connection of a source: what follows it, and the signals that wait for their reader.
final class SignalConnection: Sendable {
    private typealias Reader = CheckedContinuation<SourceSignal?, Never>

    private struct State: Sendable {
        var waiting = WaitingSignals()
        var isOver = false
        var reader: Reader?
    }

    /// Where the signals wait. What follows the connection keeps it, and not the connection.
    private final class Mailbox: Sendable {
        let state = Locked(State())

        func add(_ signal: SourceSignal) {
            let (reader, next) = state.withLock { state -> (Reader?, SourceSignal?) in
                guard !state.isOver else { return (nil, nil) }
                state.waiting.add(signal)
                guard let reader = state.reader else { return (nil, nil) }
                state.reader = nil
                return (reader, state.waiting.removeFirst())
            }
            reader?.resume(returning: next)
        }

        func end() {
            let reader = state.withLock { state in
                state.isOver = true
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }

        func next() async -> SourceSignal? {
            await withCheckedContinuation { continuation in
                let (isReady, signal) = state.withLock { state in
                    let signal = state.waiting.removeFirst()
                    if signal == nil, !state.isOver { state.reader = continuation }
                    return (signal != nil || state.isOver, signal)
                }
                if isReady { continuation.resume(returning: signal) }
            }
        }
    }

    private let mailbox: Mailbox
    private let task: Task<Void, Never>

    /// Opens a connection.
    /// - Parameter follow: Follows the connection to its end or until its task is cancelled, and passes its signals on.
    init(follow: @escaping @Sendable (_ signal: @escaping @Sendable (SourceSignal) -> Void) async -> Void) {
        let mailbox = Mailbox()
        self.mailbox = mailbox
        task = Task.unbound {
            await follow { mailbox.add($0) }
            mailbox.end()
        }
    }

    deinit { task.cancel() }

    /// The signals, for one reader; the connection ends with them.
    var signals: AsyncStream<SourceSignal> {
        // The closure is all that keeps the connection, and is released when the reader ends or is gone.
        AsyncStream {
            await self.mailbox.next()
        } onCancel: { [mailbox, task] in
            task.cancel()
            mailbox.end()
        }
    }
}
