import TrackerFeatures

extension AsyncThrowingStream<ChangeHint, any Error> {
    /// Opens a connection that keeps only the newest hint, and closes it when the reader is cancelled or released.
    /// - Parameter follow: Reads the connection to its end, and passes on its hints.
    /// - Returns: The hints.
    static func connection(
        _ follow:
            @escaping @Sendable (_ hint: @escaping @Sendable (ChangeHint) -> Void) async throws(FetchError) -> Void
    ) -> AsyncThrowingStream<ChangeHint, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { hints in
            let task = Task.unbound {
                do throws(FetchError) {
                    try await follow { hints.yield($0) }
                    hints.finish()
                } catch {
                    hints.finish(throwing: error)
                }
            }
            hints.onTermination = { _ in task.cancel() }
        }
    }
}
