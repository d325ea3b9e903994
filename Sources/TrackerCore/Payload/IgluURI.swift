extension String {
    /// Whether the text is the URI of an Iglu schema, as Enrich reads it: `iglu:VENDOR/NAME/jsonschema/N-N-N`.
    ///
    /// Vendors have letters, digits and `.-_`, names and formats letters, digits and `-_`; the first number of a
    /// version is not 0, and no number has a leading zero.
    var isIgluURI: Bool {
        guard utf8.starts(with: "iglu:".utf8) else { return false }
        let parts = utf8.dropFirst(5).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count == 4 && Self.isIgluName(parts[0], withDots: true) && Self.isIgluName(parts[1])
            && Self.isIgluName(parts[2]) && Self.isIgluVersion(parts[3])
    }

    private static func isIgluName(_ bytes: Substring.UTF8View, withDots: Bool = false) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: withDots && byte == UInt8(ascii: ".")
                }
            }
    }

    private static func isIgluVersion(_ bytes: Substring.UTF8View) -> Bool {
        let numbers = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return numbers.count == 3
            && numbers.enumerated().allSatisfy { index, digits in
                guard let first = digits.first, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
                else { return false }
                return first != UInt8(ascii: "0") || index > 0 && digits.count == 1
            }
    }
}
