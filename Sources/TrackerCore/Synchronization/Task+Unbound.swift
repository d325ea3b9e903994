extension Task where Failure == Never, Success: Sendable {
    /// Starts a task of the process's own: it has no ``TrackingContext``, whichever request has led to it, so that closures
    /// of the service that it calls, and tasks that it starts, belong to no user.
    /// - Parameter operation: What the task does, on the caller's actor.
    /// - Returns: The task.
    @discardableResult
    package static func unbound(
        @_inheritActorContext @_implicitSelfCapture operation:
            @escaping @isolated(any) @Sendable () async -> Success
    ) -> Task {
        withTrackingContext(nil) { Task(operation: operation) }
    }
}
