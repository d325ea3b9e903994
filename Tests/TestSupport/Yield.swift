package import Testing

/// Lets other tasks run, in a loop that waits until something is so.
///
/// The loop's bound is the time limit of the test: a test that waits in vain fails here and ends, and does not hang the process.
/// - Throws: `CancellationError` if the task was cancelled.
package func yieldUnlessCancelled(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    if Task.isCancelled {
        Issue.record("what the test waits for did not happen", sourceLocation: sourceLocation)
        throw CancellationError()
    }
    await Task.yield()
}
