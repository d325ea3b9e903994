public import FoundationEssentials

/// An override of whether a feature is enabled, of a variable, or of an experiment's variant.
public struct FeatureOverride: Sendable, Hashable, Codable {
    /// The maximum number of Unicode scalars kept of ``by``: 100.
    public static let maxAuthorLength = 100

    /// The maximum number of Unicode scalars kept of ``note``: 500.
    public static let maxNoteLength = 500

    /// The feature's name; nil if the override forces a variant.
    public package(set) var feature: String?

    /// The variable's name; nil if the override applies to the feature itself, or forces a variant.
    public package(set) var variable: String?

    /// The experiment's id; nil if the override applies to a feature.
    public package(set) var experiment: String?

    /// The boolean, the variable's value or the variant's name; nil for a secret variable.
    public package(set) var value: JSONValue?

    /// The value of the document in use without rules and experiments; nil if it is unset, for a secret variable, and
    /// outside a setup's status.
    public package(set) var documentValue: JSONValue?

    /// The time when the override was set; nil if its file does not have it.
    public package(set) var time: Date?

    /// The author of the override; nil if it is unknown.
    public package(set) var by: String?

    /// The reason for the override; nil if it is unknown.
    public package(set) var note: String?

    /// The time when it expires; nil if it stays until it is removed.
    public package(set) var expiry: Date?

    /// Whether the variable was a secret when the override was set. Its value then stays hidden if a later document
    /// drops the variable, and before a document is loaded.
    var isSecret = false

    /// Whether the file does not have the override yet, or, if there is no value, whether the file still has it.
    var isUnsaved = false

    private enum CodingKeys: CodingKey {
        case feature, variable, experiment, value, documentValue, time, by, note, expiry
    }

    /// Creates an override with texts shortened to their limits; without a value it represents a removal.
    package init(
        feature: String? = nil, variable: String? = nil, experiment: String? = nil, value: JSONValue? = nil,
        time: Date? = nil, by: String? = nil, note: String? = nil, expiry: Date? = nil
    ) {
        (self.feature, self.variable, self.experiment) = (feature, variable, experiment)
        (self.value, self.time, self.by, self.note, self.expiry) = (value, time, by, note, expiry)
        cutTexts()
    }

    /// Shortens the texts to their limits; an empty text becomes nil.
    mutating func cutTexts() {
        by = by?.cut(Self.maxAuthorLength)
        note = note?.cut(Self.maxNoteLength)
    }

    /// The target of the override.
    package var target: Target { Target(feature: feature, variable: variable, experiment: experiment) }

    /// The variable; nil if the override has another target.
    var key: VariableKey? { feature.flatMap { feature in variable.map { VariableKey(feature, $0) } } }

    /// The name of the target in errors and in the log: `checkout.enabled`, `checkout.retryLimit`, `experiment
    /// checkout_01`.
    package var name: String { experiment.map { "experiment \($0)" } ?? "\(feature ?? "").\(variable ?? "enabled")" }

    /// The override in the form of its file, which a console can also restore.
    package var json: JSONObject {
        JSONObject(present: [
            ("feature", feature.map(JSONValue.string)), ("variable", variable.map(JSONValue.string)),
            ("experiment", experiment.map(JSONValue.string)), ("value", value),
            ("time", time?.iso8601.map(JSONValue.string)), ("by", by.map(JSONValue.string)),
            ("note", note.map(JSONValue.string)), ("expiry", expiry?.iso8601.map(JSONValue.string)),
        ])
    }

    /// Returns whether the override has expired.
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: Whether it has.
    func isExpired(at now: Int64) -> Bool { value != nil && expiry.map { $0.milliseconds <= now } ?? false }
}

extension String {
    /// The first Unicode scalars; nil if there are none.
    fileprivate func cut(_ most: Int) -> String? {
        isEmpty ? nil : String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
    }
}

extension FeatureOverride {
    /// The target of an override: whether a feature is enabled, a variable, or the variant of an experiment.
    package struct Target: Sendable, Hashable, Comparable {
        private let experiment, feature, variable: ExactText?

        package init(feature: String? = nil, variable: String? = nil, experiment: String? = nil) {
            self.experiment = experiment.map(ExactText.init)
            self.feature = feature.map(ExactText.init)
            self.variable = variable.map(ExactText.init)
        }

        package init(_ key: VariableKey) { self.init(feature: key.feature, variable: key.variable) }

        /// Orders features with their variables by name, and experiments after them.
        package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

        private var order: (ExactText, ExactText, ExactText) {
            let none = ExactText("")
            return (experiment ?? none, feature ?? none, variable ?? none)
        }
    }
}

extension JSONValue {
    // Readers accept 128 levels, and a file of overrides needs some around the value.
    private static let maxOverrideDepth = 120

    /// Encodes the value of an override as JSON.
    /// - Throws: If it has a number that is not finite, is nested too deeply, or throws while it is encoded.
    package init(override value: some Encodable, at place: String) throws(FeatureError) {
        do throws(JSONEncodingError) {
            try self.init(encoding: value, maxDepth: Self.maxOverrideDepth)
        } catch {
            throw FeatureError(
                .notEncodable, place: place, reason: "\(error.subject) cannot be written as JSON", cause: error.cause)
        }
    }
}
