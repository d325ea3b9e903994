extension Task where Failure == Never, Success: Sendable {
    /// Starts a task without a ``TrackingContext``, whichever request has caused it, so that closures of the service
    /// that it calls, and tasks that it starts, belong to no user.
    /// - Parameter operation: The operation of the task, on the caller's actor.
    /// - Returns: The task.
    @discardableResult
    package static func unbound(
        @_inheritActorContext @_implicitSelfCapture operation:
            @escaping @isolated(any) @Sendable () async -> Success
    ) -> Task {
        withTrackingContext(nil) { Task(operation: operation) }
    }
}
