extension String {
    /// Whether the text is the URI of a schema in Iglu: `iglu:VENDOR/NAME/jsonschema/N-N-N`, as Snowplow's Enrich reads it.
    ///
    /// Vendors have letters, digits and `.-_`, names and formats letters, digits and `-_`; the first number of a version is
    /// not 0, and no number has a zero before it.
    var isIgluURI: Bool {
        // Contiguous and without a copy for every string that Swift itself made.
        utf8.withContiguousStorageIfAvailable(Self.isIgluURI) ?? Array(utf8).withUnsafeBufferPointer(Self.isIgluURI)
    }

    private static func isIgluURI(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 5, bytes[0] == UInt8(ascii: "i"), bytes[1] == UInt8(ascii: "g"),
            bytes[2] == UInt8(ascii: "l"), bytes[3] == UInt8(ascii: "u"), bytes[4] == UInt8(ascii: ":")
        else { return false }
        var index = 5
        for part in 0..<3 {
            let start = index
            while index < bytes.count, isNameByte(bytes[index]) || part == 0 && bytes[index] == UInt8(ascii: ".") {
                index += 1
            }
            guard index > start, index < bytes.count, bytes[index] == UInt8(ascii: "/") else { return false }
            index += 1
        }
        for part in 0..<3 {
            let start = index
            while index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] { index += 1 }
            guard index > start else { return false }
            let hasZero = bytes[start] == UInt8(ascii: "0")
            if hasZero, part == 0 || index > start + 1 { return false }
            if part < 2 {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "-") else { return false }
                index += 1
            }
        }
        return index == bytes.count
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
