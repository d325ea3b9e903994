/// Checks of the form of the country and language codes of experiments.
enum LocaleCode {
    /// Returns why a word is not a country code; nil if it is one.
    static func fault(country word: String) -> String? {
        let code = word.filter { !$0.isWhitespace }.utf8
        if code.isEmpty { return "the code is empty and matches no context" }
        let isUK = code.map { $0 & 0xDF }.elementsEqual("UK".utf8)
        if code.count == 2, code.allSatisfy(isLetter), !isUK { return nil }
        return "\(word.excerpt) is no code of ISO 3166 such as \"US\"\(isUK ? "; the United Kingdom is \"GB\"" : "")"
    }

    /// Returns why a word is not a language tag; nil if it is one, or `*`.
    static func fault(language word: String) -> String? {
        let tag = word.filter { !$0.isWhitespace }.utf8
        if tag.isEmpty { return "the tag is empty and matches no context" }
        if tag.elementsEqual("*".utf8) { return nil }
        let parts = tag.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let isTag =
            2...3 ~= parts[0].count && parts[0].allSatisfy(isLetter)
            && parts.dropFirst().allSatisfy { 1...8 ~= $0.count && $0.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 } }
        return isTag ? nil : "\(word.excerpt) is no language tag of BCP 47 such as \"en\" or \"en-GB\""
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }
}

extension String {
    /// Whether the text contains only white space.
    var isBlank: Bool { !(0x21...0x7E ~= utf8.first ?? 0) && allSatisfy(\.isWhitespace) }
}
