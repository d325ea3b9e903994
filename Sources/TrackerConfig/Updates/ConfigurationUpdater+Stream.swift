extension ConfigurationUpdater {
    /// Opens a connection over which the source signals, in place of the one before.
    /// - Parameter number: What distinguishes its signals from those of others.
    /// - Returns: The answer if the source has none.
    func openStream(_ number: Int) -> Lifecycle.Event? {
        stream?.cancel()
        guard !isStopped, let signals = parts.source.signals() else {
            stream = nil
            return .streamMissing
        }
        stream = Task.unbound { [weak self] in
            for await signal in signals {
                guard await self?.signalled(signal, number) != nil else { return }
            }
            await self?.streamEnded(number)
        }
        return nil
    }

    private func signalled(_ signal: SourceSignal, _ number: Int) {
        handle(.signalled(signal, number))
    }

    private func streamEnded(_ number: Int) {
        handle(.streamEnded(number))
    }
}
