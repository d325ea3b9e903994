import DocumentImport
import DocumentTools
import TrackerCommandLine
import TrackerConfig

extension ImportFormat {
    /// The option that names a format.
    static func option(isRequired: Bool, help: String) -> CommandOption {
        CommandOption("--from", .word(allCases.map(\.rawValue)), "FORMAT", isRequired: isRequired, help: help)
    }
}
