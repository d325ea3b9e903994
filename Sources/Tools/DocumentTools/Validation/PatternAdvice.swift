import TrackerConfig

/// The syntax of other regular expressions that means something else in these, which have JavaScript's.
enum PatternAdvice {
    /// Letters after a backslash that are only themselves here, with what to write instead.
    private static let letters: [Character: String] = [
        "A": "^", "Z": "$", "z": "$", "h": "[ \\t]", "R": "\\r?\\n", "a": "\\x07", "e": "\\x1B",
        "G": "^", "Q": "a backslash before each character", "E": "a backslash before each character", "X": ".", "K": "",
    ]

    /// What a pattern has of it, each in one sentence.
    static func reasons(_ pattern: String) -> [String] {
        var reasons: [String] = []
        var isInClass = false
        var rest = Substring(pattern)
        func add(_ reason: String) { if !reasons.contains(reason) { reasons.append(reason) } }
        while let first = rest.popFirst() {
            switch first {
            case "\\":
                guard let letter = rest.popFirst() else { break }
                if let cure = letters[letter] {
                    add("'\\\(letter)' is the letter \(letter) here\(cure.isEmpty ? "" : "; write \(cure)")")
                }
                if letter == "b", rest.hasPrefix("{") { add("'\\b{' is not a word boundary here; write \\b") }
            case "[" where isInClass && rest.hasPrefix(":"):
                let name = rest.dropFirst().prefix { $0.isLetter }
                if rest.dropFirst(1 + name.count).hasPrefix(":]") {
                    add("'[:\(name):]' is not a character class here, only its letters; write ranges as a-z")
                }
            case "&" where isInClass && rest.hasPrefix("&"):
                add("'&&' in brackets is not an intersection here, only the character &")
            case "[": isInClass = true
            case "]": isInClass = false
            default: break
            }
        }
        return reasons
    }
}
