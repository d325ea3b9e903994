/// Chooses events by their schemas; what is denied is not allowed, whatever else says so.
///
/// A rule is an Iglu URI in which `*` stands for all that follows in the vendor after its first two parts, for the name,
/// or for a number of the version: `iglu:com.acme.*/*/jsonschema/1-*-*`.
public struct SchemaRuleSet: Sendable, Hashable {
    private let allowed: [SchemaRule]
    private let denied: [SchemaRule]

    /// Creates a rule set.
    /// - Parameters:
    ///   - allowed: Rules for the events that are chosen; empty chooses none.
    ///   - denied: Rules for those among them that are not.
    /// - Throws: ``ConfigurationError`` with the rule that is not well formed.
    public init(allowed: [String], denied: [String] = []) throws(ConfigurationError) {
        var rules: [SchemaRule] = []
        for text in allowed + denied { rules.append(try SchemaRule(text)) }
        self.allowed = Array(rules.prefix(allowed.count))
        self.denied = Array(rules.dropFirst(allowed.count))
    }

    /// Whether a schema is chosen.
    /// - Parameter schema: An Iglu URI.
    /// - Returns: True where it is allowed and not denied.
    public func matches(_ schema: String) -> Bool {
        guard let parts = SchemaRule.parts(of: schema) else { return false }
        return !denied.contains { $0.matches(parts) } && allowed.contains { $0.matches(parts) }
    }
}

/// One rule of a set.
private struct SchemaRule: Hashable {
    /// A schema taken apart.
    package typealias Parts = (vendor: [Substring], name: Substring, version: [Substring])

    private let vendor: [String]
    private let name: String
    private let version: [String]

    init(_ text: String) throws(ConfigurationError) {
        func fault(_ reason: String) -> ConfigurationError {
            ConfigurationError(.malformed, place: "rule", reason: "\(text.excerpt) is no schema rule: \(reason)")
        }
        guard let parts = Self.parts(of: text) else { throw fault("expected iglu:VENDOR/NAME/jsonschema/N-N-N") }
        let fixed = parts.vendor.prefix { $0 != "*" }
        guard parts.vendor[fixed.count...].allSatisfy({ $0 == "*" }) else {
            throw fault("in the vendor, only '*' may follow '*'")
        }
        guard fixed.count >= 2 || fixed.count == parts.vendor.count else {
            throw fault("the first two parts of the vendor must be named")
        }
        vendor = parts.vendor.map(String.init)
        name = String(parts.name)
        version = parts.version.map(String.init)
    }

    func matches(_ schema: Parts) -> Bool {
        func equal(_ rule: [String], _ found: [Substring]) -> Bool {
            rule.count == found.count && zip(rule, found).allSatisfy { $0 == "*" || $0 == $1 }
        }
        // The last '*' of a vendor stands for any number of parts.
        let isOpen = vendor.last == "*" && schema.vendor.count > vendor.count
        let found = isOpen ? Array(schema.vendor.prefix(vendor.count)) : schema.vendor
        return equal(vendor, found) && (name == "*" || name == schema.name) && equal(version, schema.version)
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
