import Foundation
package import Testing

extension Trait where Self == BlockingTrait {
    /// Runs tests outside Swift's cooperative pool, so that they may block: in calls of a client, at the end of a child
    /// process, or in an exit test, which swift-testing waits for by reading from a pipe.
    package static var mayBlock: Self { BlockingTrait() }
}

/// See ``Testing/Trait/mayBlock``.
package struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadPerJob()) { try await function() }
    }
}

/// Runs each part of a task between two suspensions on a thread of its own.
private final class ThreadPerJob: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }.start()
    }
}
