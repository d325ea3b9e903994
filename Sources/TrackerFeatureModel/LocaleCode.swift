/// Checks of the codes that experiments name contexts by.
enum LocaleCode {
    /// The assigned codes of ISO 3166-1 alpha-2, one after the other.
    private static let countries: StaticString = """
        ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDK\
        DMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKM\
        KNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPM\
        PNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVU\
        WFWSYEYTZAZMZW
        """

    /// Why a word is no code of a country; nil if it is one.
    static func fault(country word: String) -> String? {
        let code = word.utf8.filter { !isBlank($0) }.map(upper)
        if code.isEmpty { return "the code is empty and matches no context" }
        let isAssigned = countries.withUTF8Buffer { known in
            code.count == 2
                && stride(from: 0, to: known.count, by: 2).contains {
                    upper(known[$0]) == code[0] && upper(known[$0 + 1]) == code[1]
                }
        }
        // Kosovo's is not assigned, but in wide use.
        if isAssigned || code == Array("XK".utf8) { return nil }
        let hint = code == Array("UK".utf8) ? "; the United Kingdom is \"GB\"" : ""
        return "\(word.excerpt) is no code of ISO 3166 such as \"US\"\(hint)"
    }

    /// Why a word is no tag of a language; nil if it is one, or `*`.
    static func fault(language word: String) -> String? {
        let tag = word.utf8.filter { !isBlank($0) }
        if tag.isEmpty { return "the tag is empty and matches no context" }
        if tag == [UInt8(ascii: "*")] { return nil }
        let parts = tag.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false) }
        let isTag =
            2...3 ~= parts[0].count && parts[0].allSatisfy(isLetter)
            && parts.dropFirst().allSatisfy { 1...8 ~= $0.count && $0.allSatisfy { isLetter($0) || isDigit($0) } }
        return isTag ? nil : "\(word.excerpt) is no language tag of BCP 47 such as \"en\" or \"en-GB\""
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }
    private static func upper(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? byte & 0xDF : byte }
}

extension String {
    /// Whether the text has nothing but white space.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
