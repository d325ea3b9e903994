import DocumentTools
import TrackerCommandLine
import TrackerConfig

extension ImportFormat {
    /// The words that name a format.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The format that `--from` names.
    init(option text: String) throws(UsageError) {
        guard let format = ImportFormat(rawValue: text) else {
            throw UsageError("--from takes one of \(Self.names), not '\(text)'")
        }
        self = format
    }
}
