/// A version in the form in which two compare as texts: GrowthBook's padded version.
///
/// A leading "v" and what follows "+" are left out, numbers are padded with blanks to five digits, and a version of exactly
/// three parts gets "~" at its end, so that it comes after its pre-releases: "1.2.3-rc.1" is "    1-    2-    3-rc-    1".
///
/// Unlike in GrowthBook, "2" and "2.0" are 2.0.0 if the other one is a version too, or the beginning of one.
struct PaddedVersion: Sendable {
    private let bytes: [UInt8]
    /// The form of the whole version; nil if it is not a version of at most three numbers.
    private let whole: [UInt8]?

    /// Creates the form of a version; nil unless it is a text or a number.
    init?(_ version: JSONValue) {
        switch version {
        case .string, .int, .double:
            bytes = Self.withBytes(of: version) { bytes, _ in Array(bytes) }
            whole = Self.withBytes(of: version, completes: true) { bytes, isWhole in isWhole ? Array(bytes) : nil }
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Compares the version of an attribute with this one.
    /// - Parameter attribute: A text or a number; anything else, and an empty text, is version "0".
    /// - Returns: A negative number if the attribute's version is lower, 0 if both are equal.
    func compare(_ attribute: JSONValue) -> Int {
        Self.withBytes(of: attribute, completes: whole != nil) { attribute, isWhole in
            (isWhole ? whole ?? bytes : bytes).withUnsafeBufferPointer { UTF16Order.compare(attribute, $0) }
        }
    }

    /// Makes the form of a version.
    /// - Parameters:
    ///   - version: The version.
    ///   - completes: Whether one of fewer than three numbers gets zeros.
    ///   - body: Gets the form, and whether it was completed so, or had three numbers.
    /// - Returns: What `body` returns.
    private static func withBytes<Result>(
        of version: JSONValue, completes: Bool = false, _ body: (UnsafeBufferPointer<UInt8>, _ isWhole: Bool) -> Result
    ) -> Result {
        // What is missing is no version.
        var isVersion = true
        var text = "0"
        switch version {
        case .string(let version) where !version.isEmpty: text = version
        case .int, .double: text = version.javaScriptText
        default: isVersion = false
        }
        return text.withUTF8 { text in
            let numbers = completes && isVersion ? numberCount(of: text) : nil
            // Each part has up to five blanks, and a hyphen after it, as two zeros have.
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * 6 + 20) { memory in
                let count = pad(text, numbers: numbers ?? 3, into: memory)
                return body(UnsafeBufferPointer(rebasing: memory[..<count]), numbers != nil)
            }
        }
    }

    /// The count of the numbers before a pre-release, 1 to 3; nil if the text does not begin as a version.
    private static func numberCount(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        var (numbers, digits) = (0, 0)
        var separator = UInt8(ascii: ".")
        for byte in text.dropFirst(text.first == UInt8(ascii: "v") ? 1 : 0) {
            if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                digits += 1
            } else if digits > 0, isSeparator(byte) {
                (numbers, digits, separator) = (numbers + 1, 0, byte)
            } else if byte == UInt8(ascii: "+") {
                break
            } else {
                // As in "2-rc.1".
                return separator == UInt8(ascii: "-") && 1...3 ~= numbers ? numbers : nil
            }
        }
        return digits > 0 && numbers < 3 ? numbers + 1 : nil
    }

    private static func pad(
        _ text: UnsafeBufferPointer<UInt8>, numbers: Int, into memory: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
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
            if parts == numbers {
                for _ in numbers..<3 {
                    for byte in "-    0".utf8 { append(byte) }
                    parts += 1
                }
            }
        }
        if parts == 3 {
            append(UInt8(ascii: "-"))
            append(UInt8(ascii: "~"))
        }
        return count
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") }
}
