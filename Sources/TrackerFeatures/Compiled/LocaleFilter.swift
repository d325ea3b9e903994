/// An experiment's countries and languages, prepared for comparisons.
struct LocaleFilter: Sendable {
    private let countries: [[UInt8]]?
    private let languages: [[UInt8]]?

    init(countries: [String]?, languages: [String]?) {
        self.countries = countries.map(Self.words)
        self.languages = languages.map(Self.words)
    }

    /// Whether a context is included. If there is a filter, a context without the value is excluded.
    func includes(_ context: FeatureContext) -> Bool {
        if let countries {
            guard let country = context.country.map(Self.word), countries.contains(country) else { return false }
        }
        if let languages {
            guard let language = context.language.map(Self.word), !language.isEmpty else { return false }
            guard languages.contains(where: { Self.range($0, matches: language) }) else { return false }
        }
        return true
    }

    /// Basic filtering of RFC 4647: the same tag, or one that begins with the range's subtags; `*` matches any tag.
    private static func range(_ range: [UInt8], matches tag: [UInt8]) -> Bool {
        if range == [UInt8(ascii: "*")] { return true }
        guard tag.starts(with: range) else { return false }
        return tag.count == range.count || tag[range.count] == UInt8(ascii: "-")
    }

    private static func words(_ texts: [String]) -> [[UInt8]] {
        texts.map(word).filter { !$0.isEmpty }
    }

    /// A text in lower case without surrounding blanks, and with `-` between its parts.
    private static func word(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x09...0x0D, 0x20: if !bytes.isEmpty { bytes.append(0x20) }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "-"))
            default: bytes.append(byte)
            }
        }
        while bytes.last == 0x20 { bytes.removeLast() }
        return bytes
    }
}
