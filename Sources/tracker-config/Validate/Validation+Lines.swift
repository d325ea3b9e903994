import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

extension Validation {
    /// The findings for people, followed by a summary.
    /// - Parameters:
    ///   - style: The colours.
    ///   - isStrict: Whether warnings count as errors.
    ///   - purpose: The purpose for which the file was read.
    /// - Returns: The lines, the summary last.
    func lines(_ style: TextStyle, isStrict: Bool = false, purpose: Document.Purpose = .remote) -> [String] {
        errors.map { $0.line(file, style.paint("error", .red)) }
            + warnings.map { $0.line(file, style.paint("warning", .yellow)) }
            + ["\(file): \(summary(isStrict, purpose))"]
    }

    private func summary(_ isStrict: Bool, _ purpose: Document.Purpose) -> String {
        guard errors.isEmpty, let document else {
            return "not valid: \(Self.counts(errors: errors.count, warnings: warnings.count))"
        }
        let contents = "valid, version \(document.version): \(document.contents(purpose))"
        if warnings.isEmpty { return contents }
        return "\(contents); \(counted(warnings.count, "warning"))\(isStrict ? ", refused by --strict" : "")"
    }

    /// A summary of the findings in several files, for people.
    static func summary(of validations: [Validation]) -> String {
        let faulty = validations.count { !$0.errors.isEmpty }
        let errors = validations.reduce(0) { $0 + $1.errors.count }
        let warnings = validations.reduce(0) { $0 + $1.warnings.count }
        let counts = errors + warnings > 0 ? ": \(counts(errors: errors, warnings: warnings))" : ""
        return "\(validations.count) files, \(faulty == 0 ? "all valid" : "\(faulty) not valid")\(counts)"
    }

    private static func counts(errors: Int, warnings: Int) -> String {
        [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
            .joined(separator: ", ")
    }
}

extension Document {
    /// The contents of the document in numbers: `1 tracker, 2 features, 1 experiment`.
    fileprivate func contents(_ purpose: Purpose) -> String {
        // A default document's bundle may get its endpoint from the remote document.
        let removed = purpose == .default ? 0 : bundles.count { $0.network == nil }
        let parts = [
            (bundles.count - removed, "tracker"), (removed, "removed tracker"), (features.count, "feature"),
            (experiments.count, "experiment"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        return words.isEmpty ? "no trackers, features or experiments" : words.joined(separator: ", ")
    }
}
