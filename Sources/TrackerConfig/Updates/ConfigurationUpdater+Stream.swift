extension ConfigurationUpdater {
    /// Opens a connection over which the source hints at changes, in place of the one before.
    /// - Parameter number: What distinguishes its hints from those of others.
    /// - Returns: The answer if the source has none.
    func openStream(_ number: Int) -> Lifecycle.Event? {
        stream?.cancel()
        guard !isStopped, let hints = parts.source.changes() else {
            stream = nil
            return .streamMissing
        }
        stream = Task.unbound { [weak self] in
            var failure: FetchError?
            do {
                for try await hint in hints {
                    guard await self?.take(.hinted(hint, number)) != nil else { return }
                }
            } catch {
                let reason = "the stream of changes broke: " + "\(error)".excerpt
                failure = error as? FetchError ?? FetchError(.stream, reason: reason, cause: error)
            }
            await self?.take(.streamEnded(failure, number))
        }
        return nil
    }
}
