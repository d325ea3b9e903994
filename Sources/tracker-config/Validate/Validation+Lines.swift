import DocumentTools
import TrackerCommandLine

extension Validation {
    /// The findings for people, and how many there are.
    func lines(_ style: TextStyle) -> [String] {
        errors.map { $0.line(file, style.paint("error", .red)) }
            + warnings.map { $0.line(file, style.paint("warning", .yellow)) }
            + ["\(file): \(Self.summary(errors: errors, warnings: warnings))"]
    }

    /// How many findings there are, for people.
    static func summary(errors: [Finding], warnings: [Finding]) -> String {
        "\(count(errors, "error")), \(count(warnings, "warning"))"
    }

    private static func count(_ findings: [Finding], _ word: String) -> String {
        "\(findings.count) \(word)\(findings.count == 1 ? "" : "s")"
    }
}
