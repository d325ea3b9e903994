/// Conversions of names to Swift identifiers.
enum SwiftIdentifier {
    /// The words that need backticks as names.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Whether a text is an identifier or a keyword, using the letters of Unicode's annex 31.
    ///
    /// Swift allows more, such as emoji and invisible characters, which people cannot tell apart.
    static func isIdentifier(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, text != "_" else { return false }
        return isHead(first) && scalars.dropFirst().allSatisfy(isBody)
    }

    /// The name in the form of its declaration, with backticks if needed.
    static func escaped(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// Whether no type can have a name, even with backticks.
    static func isReservedType(_ name: String) -> Bool {
        ["Any", "Protocol", "Self", "Type"].contains(name)
    }

    /// The words of a text in lower camel case: `retry-limit`, `retry_limit` and `RETRY_LIMIT` give `retryLimit`.
    /// - Returns: An identifier, or nil if the text has no letter before its first digit.
    static func lowerCamelCase(_ text: String) -> String? {
        let words = words(text)
        guard let first = words.first else { return nil }
        let name = lowered(first) + words.dropFirst().map(capitalized).joined()
        return isIdentifier(name) ? name : nil
    }

    /// The name of a feature in lower camel case, with the prefix `feature` if it begins with a digit or cannot follow
    /// a dot.
    /// - Returns: An identifier, or nil if the name has no letter and no digit.
    static func featureName(_ text: String) -> String? {
        if let name = lowerCamelCase(text), name != "self", name != "init" { return name }
        let words = words(text)
        return words.isEmpty ? nil : "feature" + words.map(capitalized).joined()
    }

    private static func words(_ text: String) -> [String] {
        // In a text of capitals only, no capital marks the beginning of a word.
        let isLoud = !text.contains(where: \.isLowercase)
        let words = text.unicodeScalars.split { $0 == "_" || !isBody($0) }.map { String($0) }
        return isLoud && words.count > 1 ? words.map { $0.lowercased() } : words
    }

    /// A word with an upper-case first letter.
    static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// A word with its leading capitals in lower case: `Limit` gives `limit`, `URL` gives `url`, `URLPath` gives
    /// `urlPath`.
    private static func lowered(_ word: String) -> String {
        let capitals = word.prefix(while: \.isUppercase)
        let rest = word.dropFirst(capitals.count)
        let isNextWord = capitals.count > 1 && rest.first?.isLowercase == true
        let count = isNextWord ? capitals.count - 1 : capitals.count
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart && !scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isBody(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isXIDContinue && !scalar.properties.isDefaultIgnorableCodePoint
    }
}
