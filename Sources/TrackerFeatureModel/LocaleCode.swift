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
        let bytes = word.utf8
        if bytes.count == 2, let first = bytes.first, let second = bytes.last, isAssigned(first, second) { return nil }
        let code = bytes.filter { !isBlank($0) }.map(upper)
        if code.isEmpty { return "the code is empty and matches no context" }
        if code.count == 2, isAssigned(code[0], code[1]) { return nil }
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

    private static func isAssigned(_ first: UInt8, _ second: UInt8) -> Bool {
        // Kosovo's is not assigned, but in wide use.
        if first == UInt8(ascii: "X"), second == UInt8(ascii: "K") { return true }
        return countries.withUTF8Buffer { known in
            // They are sorted.
            var (low, high) = (0, known.count / 2)
            while low < high {
                let middle = (low + high) / 2
                let (other, next) = (known[2 * middle], known[2 * middle + 1])
                if other == first, next == second { return true }
                if other < first || (other == first && next < second) { low = middle + 1 } else { high = middle }
            }
            return false
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }
    private static func upper(_ byte: UInt8) -> UInt8 { 0x61...0x7A ~= byte ? byte & 0xDF : byte }
}

extension String {
    /// Whether the text has nothing but white space.
    var isBlank: Bool {
        // Few begin with anything else than a letter.
        if let first = utf8.first, 0x21...0x7E ~= first { return false }
        return allSatisfy(\.isWhitespace)
    }
}
