import Foundation

/// The open connections of a server, by number, until it stops.
final class ConnectionRegistry: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var lastNumber = 0
    /// Nil once the server has stopped.
    nonisolated(unsafe) private var open: [Int: Socket]? = [:]
    /// The connections that wait for their clients, the longest first.
    nonisolated(unsafe) private var waiting: [Int] = []

    /// Whether the server has stopped.
    var isClosed: Bool {
        lock.withLock { open == nil }
    }

    /// The number of open connections.
    var count: Int {
        lock.withLock { open?.count ?? 0 }
    }

    /// Takes in a connection and numbers it from 1; returns nil where the server has stopped.
    func add(_ socket: Socket) -> Int? {
        lock.withLock {
            guard open != nil else { return nil }
            lastNumber += 1
            open?[lastNumber] = socket
            waiting.append(lastNumber)
            return lastNumber
        }
    }

    /// Forgets a connection that has ended.
    func remove(_ number: Int) {
        lock.withLock {
            open?.removeValue(forKey: number)
            waiting.removeAll { $0 == number }
        }
    }

    /// Notes whether a connection waits for its client. A new one does, from when it is added: its thread may start late.
    func setWaiting(_ number: Int, _ isWaiting: Bool) {
        lock.withLock {
            if !isWaiting {
                waiting.removeAll { $0 == number }
            } else if open?[number] != nil, !waiting.contains(number) {
                waiting.append(number)
            }
        }
    }

    /// Closes and forgets the connection that waits longest for its client; returns false if none but `number` does.
    func closeWaiting(before number: Int) -> Bool {
        let socket = lock.withLock { () -> Socket? in
            guard let oldest = waiting.first, oldest != number else { return nil }
            waiting.removeFirst()
            return open?.removeValue(forKey: oldest)
        }
        socket?.shutDown()
        return socket != nil
    }

    /// Takes in no more and gives out what was open; returns nil if it was closed before.
    func close() -> [Socket]? {
        lock.withLock {
            defer { open = nil }
            return open.map { Array($0.values) }
        }
    }
}
