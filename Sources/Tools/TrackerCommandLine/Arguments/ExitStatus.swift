/// The exit status of a command, as in `sysexits.h`.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// The command succeeded.
    case success = 0
    /// The command found something to report, such as errors in a document.
    case findings = 1
    /// The command line is invalid.
    case usage = 64
    /// An input is missing or cannot be read.
    case noInput = 66
    /// A required resource is not available, such as a port.
    case unavailable = 69
    /// Reading or writing failed.
    case inputOutput = 74

    /// The status in a few words.
    package var summary: String {
        switch self {
        case .success: "success"
        case .findings: "findings, such as errors in a document"
        case .usage: "the command line cannot be used"
        case .noInput: "an input is missing or cannot be read"
        case .unavailable: "a port or an address is not available"
        case .inputOutput: "reading or writing failed"
        }
    }
}
