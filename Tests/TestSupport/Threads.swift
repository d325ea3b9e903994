import Foundation

/// Threads for code that blocks.
///
/// Swift's cooperative pool has a thread per core: on a machine with two cores, two tests that block in it stop all others,
/// and perhaps what they wait for.
package enum Threads {
    /// Runs `body` on a thread of its own.
    /// - Parameter body: The code to run.
    /// - Returns: What `body` returns.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }

    /// Runs `body` on several threads at one time, and returns when all have ended.
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - body: The code to run, with the number of its thread, from 0. It may wait for the other threads.
    package static func run(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
        await withDiscardingTaskGroup { group in
            for thread in 0..<count {
                group.addTask { await run { body(thread) } }
            }
        }
    }
}
