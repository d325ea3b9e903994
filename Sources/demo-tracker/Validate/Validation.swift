import TrackerConfig
import TrackerCore

/// A document, read by the SDK and held against the schema.
struct Validation {
    let file: String

    /// The document, where a service could use it.
    let document: Document?

    /// The version, where that much could be read.
    let version: Int?

    /// What is wrong, in the order of the text.
    let errors: [Finding]

    /// What is odd and is lived with.
    let warnings: [Finding]

    /// The largest document that a service fetches unless it says otherwise, in bytes.
    static let maximumSize = RemoteConfiguration(endpoint: "").maximumSize

    /// Validates a file.
    /// - Parameters:
    ///   - file: The file.
    ///   - purpose: For whom it is read.
    ///   - maximumSize: The largest document that the service fetches, in bytes; nil for no bound.
    /// - Throws: If the schema itself cannot be used.
    init(_ file: InputFile, purpose: Document.Purpose = .remote, maximumSize: Int? = nil) throws {
        self.file = file.name
        var errors: [Finding] = []
        do throws(ConfigurationError) {
            let document = try Document(file.text, purpose: purpose)
            self.document = document
            version = document.version
        } catch {
            document = nil
            version = error.version
            errors = [Finding(place: error.place, reason: error.reason, position: error.position, judge: .decoder)]
        }
        if let maximumSize, file.text.count > maximumSize {
            let reason = "\(file.text.count) bytes, and a service fetches no document larger than \(maximumSize) bytes"
            errors.append(Finding(place: "", reason: reason, position: nil, judge: .decoder))
        }
        // What is no JSON has no values to check; the decoder said so.
        if let node = try? JSONReader.read(file.text) {
            let said = Set(errors.map(\.place))
            let faults = try DocumentSchema.faults(of: node, purpose: purpose).filter { !said.contains($0.place) }
            let positions = TextPosition.positions(of: faults.map(\.offset), in: file.text)
            errors += faults.map {
                Finding(place: $0.place, reason: $0.reason, position: positions[$0.offset], judge: .schema)
            }
        }
        self.errors = errors.sorted { $0.order < $1.order }
        warnings = Document.warnings(of: file.text, purpose: purpose).map { Finding($0, by: .decoder) }
    }

    var json: JSONObject {
        [
            "file": .string(file), "version": version.map(JSONValue.int) ?? .null,
            "errors": .array(errors.map(\.json)), "warnings": .array(warnings.map(\.json)),
        ]
    }

    /// The findings for people, and how many there are.
    func lines(_ style: TextStyle) -> [String] {
        errors.map { $0.line(file, style.paint("error", .red)) }
            + warnings.map { $0.line(file, style.paint("warning", .yellow)) }
            + ["\(Self.count(errors, "error")), \(Self.count(warnings, "warning"))"]
    }

    private static func count(_ findings: [Finding], _ word: String) -> String {
        "\(findings.count) \(word)\(findings.count == 1 ? "" : "s")"
    }
}

extension Finding {
    fileprivate var order: (Int, Int) { (position?.line ?? .max, position?.column ?? .max) }
}
