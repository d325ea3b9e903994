/// Why a command ends early.
package struct CommandFailure: Error, Sendable, Equatable {
    /// The status to exit with.
    package let status: ExitStatus

    /// What is wrong and where, as a sentence on one line.
    package let reason: String

    /// Creates a failure.
    /// - Parameters:
    ///   - status: The status to exit with.
    ///   - reason: What is wrong and where, as a sentence on one line.
    package init(_ status: ExitStatus, _ reason: String) {
        (self.status, self.reason) = (status, reason)
    }

    /// The failure of a command line that cannot be used.
    package static func usage(_ reason: String) -> CommandFailure {
        CommandFailure(.usage, reason)
    }
}
