/// A version in the form in which two compare as texts: GrowthBook's padded version.
///
/// A leading "v" and what follows "+" are left out, numbers are padded with blanks to five digits, and a version of exactly
/// three parts gets "~" at its end, so that it comes after its pre-releases: "1.2.3-rc.1" is "    1-    2-    3-rc-    1".
struct PaddedVersion: Sendable {
    private let bytes: [UInt8]

    /// Creates the form of a version; nil unless it is a text or a number.
    init?(_ version: JSONValue) {
        switch version {
        case .string, .int, .largeInteger, .double: bytes = Self.withBytes(of: version, Array.init)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Compares the version of an attribute with this one.
    /// - Parameter attribute: A text or a number; anything else, and an empty text, is version "0".
    /// - Returns: A negative number if the attribute's version is lower, 0 if both are equal.
    func compare(_ attribute: JSONValue) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            Self.withBytes(of: attribute) { UTF16Order.compare($0, bytes) }
        }
    }

    private static func withBytes<Result>(
        of version: JSONValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var text =
            switch version {
            case .string(let text) where !text.isEmpty: text
            case .int, .largeInteger, .double: version.javaScriptText
            default: "0"
            }
        return text.withUTF8 { text in
            // Each part has up to five blanks, and a hyphen after it.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * 6 + 8) { memory in
                body(UnsafeBufferPointer(rebasing: memory[..<pad(text, into: memory)]))
            }
        }
    }

    private static func pad(_ text: UnsafeBufferPointer<UInt8>, into memory: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let start = text.first == UInt8(ascii: "v") ? 1 : 0
        let end = text.firstIndex(of: UInt8(ascii: "+")) ?? text.count
        var (count, parts, partStart) = (0, 0, start)
        func append(_ byte: UInt8) {
            memory[count] = byte
            count += 1
        }
        for index in start...max(start, end) where index >= end || isSeparator(text[index]) {
            let part = text[partStart..<max(partStart, index)]
            if parts > 0 { append(UInt8(ascii: "-")) }
            if !part.isEmpty, part.count < 5, part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
                for _ in part.count..<5 { append(UInt8(ascii: " ")) }
            }
            for byte in part { append(byte) }
            parts += 1
            partStart = index + 1
        }
        if parts == 3 {
            append(UInt8(ascii: "-"))
            append(UInt8(ascii: "~"))
        }
        return count
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }
}
