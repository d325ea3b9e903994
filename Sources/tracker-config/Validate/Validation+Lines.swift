import DocumentTools
import TrackerCommandLine
import TrackerCore

extension Validation {
    /// The findings for people, and how many there are.
    func lines(_ style: TextStyle) -> [String] {
        errors.map { $0.line(file, style.paint("error", .red)) }
            + warnings.map { $0.line(file, style.paint("warning", .yellow)) }
            + ["\(file): \(Self.summary(errors: errors, warnings: warnings))"]
    }

    /// How many findings there are, for people.
    static func summary(errors: [Finding], warnings: [Finding]) -> String {
        "\(counted(errors.count, "error")), \(counted(warnings.count, "warning"))"
    }
}
