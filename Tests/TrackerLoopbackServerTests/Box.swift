import Foundation

/// A value that the handler and the test share.
final class Box<Value: Sendable>: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    /// The value now.
    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    /// Changes the value, alone.
    func update(_ change: (inout Value) -> Void) {
        lock.withLock { change(&stored) }
    }
}
