/// The error of a command.
package struct CommandFailure: Error, Sendable, Equatable {
    /// The exit status.
    package let status: ExitStatus

    /// The error and its place, as a sentence on one line.
    package let reason: String

    /// Whether the command line is at fault, so that the usage line helps.
    let isAboutWords: Bool

    /// The usage of the command; nil if no command is known.
    private(set) var usage: String?

    /// Creates a failure.
    /// - Parameters:
    ///   - status: The exit status.
    ///   - reason: The error and its place, as a sentence on one line.
    package init(_ status: ExitStatus, _ reason: String) {
        (self.status, self.reason, isAboutWords) = (status, reason, false)
    }

    private init(usage reason: String) {
        (status, self.reason, isAboutWords) = (.usage, reason, true)
    }

    /// Creates the failure of an invalid command line.
    package static func usage(_ reason: String) -> CommandFailure { CommandFailure(usage: reason) }

    /// Returns the failure with the usage of its command.
    func of(_ usage: String) -> CommandFailure {
        var failure = self
        failure.usage = usage
        return failure
    }
}
