/// An example of a command line, for help, the manual page and the command reference.
package struct CommandExample: Sendable, Equatable {
    /// What the command line does, in a few words.
    package let purpose: String

    /// The words after the executable's name, as a shell reads them.
    package let line: String

    /// Creates an example.
    /// - Parameters:
    ///   - purpose: What the command line does, in a few words.
    ///   - line: The words after the executable's name, as a shell reads them.
    package init(_ purpose: String, _ line: String) {
        (self.purpose, self.line) = (purpose, line)
    }
}
