import TrackerCommandLine

extension ToolCommand {
    /// Runs the command as its tool does, without help.
    func run(_ words: [String]) async throws(CommandFailure) -> TrackerCommandLine.ExitStatus {
        try await action(Arguments(words, of: self))
    }
}
