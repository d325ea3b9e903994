package import DocumentTools
import TrackerConfig

extension Validation {
    /// The findings as commands of a GitHub workflow, which shows them next to the lines of the file.
    package var annotations: [String] {
        errors.map { annotation($0, "error") } + warnings.map { annotation($0, "warning") }
    }

    private func annotation(_ finding: ConfigurationError, _ kind: String) -> String {
        var properties = ["file=\(Self.escaped(file, isProperty: true))"]
        if let position = finding.position { properties += ["line=\(position.line)", "col=\(position.column)"] }
        properties.append("title=tracker-config")
        return "::\(kind) \(properties.joined(separator: ","))::\(Self.escaped(finding.sentence, isProperty: false))"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%", "\r", "\n": escaped += percent(scalar)
            case ":", ",": escaped += isProperty ? percent(scalar) : String(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func percent(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "%\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
