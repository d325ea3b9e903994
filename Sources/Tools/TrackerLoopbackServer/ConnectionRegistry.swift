import Foundation

/// The open connections of a server, by number, until it stops.
final class ConnectionRegistry: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var lastNumber = 0
    /// nil if the server has stopped.
    nonisolated(unsafe) private var open: [Int: Socket]? = [:]

    /// Whether the server has stopped.
    var isClosed: Bool {
        lock.withLock { open == nil }
    }

    /// Adds a connection and returns its number, from 1; nil if the server has stopped or has too many connections.
    func add(_ socket: Socket, atMost limit: Int) -> Int? {
        lock.withLock {
            guard let open, open.count < limit else { return nil }
            lastNumber += 1
            self.open?[lastNumber] = socket
            return lastNumber
        }
    }

    /// Removes a connection that has ended.
    func remove(_ number: Int) {
        lock.withLock { _ = open?.removeValue(forKey: number) }
    }

    /// Rejects further connections and returns the open ones; nil if it was closed before.
    func close() -> [Socket]? {
        lock.withLock {
            defer { open = nil }
            return open.map { Array($0.values) }
        }
    }
}
