/// Why a command ends early.
package struct CommandFailure: Error, Sendable, Equatable {
    /// The status to exit with.
    package let status: ExitStatus

    /// What is wrong and where, as a sentence on one line.
    package let reason: String

    /// Whether the words of the command line are at fault, so that the line of usage helps.
    let isAboutWords: Bool

    /// How the command is used; nil if no command is known.
    private(set) var usage: String?

    /// Creates a failure.
    /// - Parameters:
    ///   - status: The status to exit with.
    ///   - reason: What is wrong and where, as a sentence on one line.
    package init(_ status: ExitStatus, _ reason: String) {
        (self.status, self.reason, isAboutWords) = (status, reason, false)
    }

    private init(usage reason: String) {
        (status, self.reason, isAboutWords) = (.usage, reason, true)
    }

    /// The failure of a command line that cannot be used.
    package static func usage(_ reason: String) -> CommandFailure { CommandFailure(usage: reason) }

    /// The failure, with how its command is used.
    func of(_ usage: String) -> CommandFailure {
        var failure = self
        failure.usage = usage
        return failure
    }
}
