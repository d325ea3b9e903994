/// The rules of ``EventSelection/schemas(allowed:denied:)``.
package struct SchemaRuleSet: Sendable, Hashable {
    /// nil allows every schema.
    private let allowed: [SchemaRule]?
    private let denied: [SchemaRule]

    /// Creates a rule set.
    /// - Parameters:
    ///   - allowed: The rules for chosen schemas; nil, the default, chooses every schema, and an empty list none.
    ///   - denied: The rules for schemas that are not chosen, even if `allowed` matches them; none by default.
    /// - Throws: ``ConfigurationError`` if a rule is not well formed, with its place, such as `denied[1]`.
    package init(allowed: [String]? = nil, denied: [String] = []) throws(ConfigurationError) {
        self.allowed = try allowed.map { rules throws(ConfigurationError) in try SchemaRule.list(rules, "allowed") }
        self.denied = try SchemaRule.list(denied, "denied")
    }

    /// Whether a schema is chosen.
    /// - Parameter schema: An Iglu URI.
    /// - Returns: True if it is allowed and not denied; false for a text that is not an Iglu URI.
    package func matches(_ schema: String) -> Bool {
        guard let parts = SchemaRule.parts(of: schema) else { return false }
        return !denied.contains { $0.matches(parts) } && allowed?.contains { $0.matches(parts) } ?? true
    }
}

/// One rule of a set.
private struct SchemaRule: Hashable {
    /// The parts of a schema.
    typealias Parts = (vendor: [Substring], name: Substring, version: [Substring])

    private let vendor: [String]
    private let name: String
    private let version: [String]

    /// Reads the rules of a parameter; an error has the place of the first rule that is not well formed.
    static func list(_ texts: [String], _ place: String) throws(ConfigurationError) -> [SchemaRule] {
        try texts.enumerated().map { (index, text) throws(ConfigurationError) in
            try SchemaRule(text, place: "\(place)[\(index)]")
        }
    }

    private init(_ text: String, place: String) throws(ConfigurationError) {
        func fault(_ reason: String) -> ConfigurationError {
            ConfigurationError(.malformed, place: place, reason: "\(text.excerpt) is no schema rule: \(reason)")
        }
        guard let parts = Self.parts(of: text) else { throw fault("expected iglu:VENDOR/NAME/jsonschema/N-N-N") }
        let fixed = parts.vendor.prefix { !$0.contains("*") }
        var wildcards = parts.vendor[fixed.count...]
        if wildcards.last == "**" { wildcards.removeLast() }
        guard wildcards.allSatisfy({ $0 == "*" }) else {
            throw fault("in the vendor, only '*' and a final '**' may follow '*'")
        }
        guard fixed.count >= 2 || fixed.count == parts.vendor.count else {
            throw fault("the first two parts of the vendor must be named")
        }
        guard parts.name == "*" || !parts.name.contains("*") else { throw fault("the name is '*' or has no '*'") }
        vendor = parts.vendor.map(String.init)
        name = String(parts.name)
        version = parts.version.map(String.init)
    }

    func matches(_ schema: Parts) -> Bool {
        func equal(_ rule: [String], _ found: [Substring]) -> Bool {
            rule.count == found.count && zip(rule, found).allSatisfy { $0 == "*" || $0 == $1 }
        }
        let isOpen = vendor.last == "**"
        let rule = isOpen ? vendor.dropLast() + ["*"] : vendor
        let found = isOpen ? Array(schema.vendor.prefix(rule.count)) : schema.vendor
        return equal(rule, found) && (name == "*" || name == schema.name) && equal(version, schema.version)
    }

    static func parts(of text: String) -> Parts? {
        guard text.hasPrefix("iglu:") else { return nil }
        let parts = text.dropFirst(5).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[2] == "jsonschema", !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        let version = parts[3].split(separator: "-", omittingEmptySubsequences: false)
        let isVersion = version.allSatisfy { part in
            part == "*" || (!part.isEmpty && part.allSatisfy { $0.isASCII && $0.isNumber })
        }
        guard version.count == 3, isVersion else { return nil }
        let vendor = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard vendor.allSatisfy({ !$0.isEmpty }) else { return nil }
        return (vendor, parts[1], version)
    }
}
