extension JSONReader {
    func syntax(_ reason: String) -> JSONError {
        JSONError(code: .syntax, reason: reason, offset: index)
    }

    /// The error for unexpected text.
    /// - Parameter what: The expected text.
    /// - Returns: The error at the current byte.
    func expected(_ what: String) -> JSONError {
        guard index < bytes.count else {
            return syntax(isFirst ? "the text is empty" : "expected \(what), but the text ends here")
        }
        let next = bytes[index...].prefix(2)
        if next.elementsEqual("//".utf8) || next.elementsEqual("/*".utf8) || next.first == UInt8(ascii: "#") {
            return syntax("comments are not allowed in JSON")
        }
        return syntax("expected \(what), found \(found)")
    }

    /// The error for a missing value.
    var noValue: JSONError {
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): syntax("strings need double quotes")
        case UInt8(ascii: "<") where isFirst: syntax("this is XML or HTML, not JSON")
        case let byte where byte.isLetter && isFirst: syntax("this is not JSON, it begins with \(found)")
        default: expected("a value")
        }
    }

    /// The error for a missing key.
    func noKey(inObjectFrom start: Int) -> JSONError {
        guard index < bytes.count else { return unclosed("object", from: start) }
        return bytes[index] == UInt8(ascii: "'") || bytes[index].isLetter
            ? syntax("keys need double quotes") : expected("a key")
    }

    /// The error for a member without a comma or a brace after it.
    func noMemberEnd(inObjectFrom start: Int) -> JSONError {
        guard index < bytes.count else { return unclosed("object", from: start) }
        return bytes[index] == UInt8(ascii: "\"")
            ? syntax("a comma is missing before this key") : expected("',' or '}'")
    }

    /// The error for an element without a comma or a bracket after it.
    func noElementEnd(inListFrom start: Int) -> JSONError {
        guard index < bytes.count else { return unclosed("list", from: start) }
        return "\"{[-0123456789".utf8.contains(bytes[index]) || ["'true'", "'false'", "'null'"].contains(found)
            ? syntax("a comma is missing before this element") : expected("',' or ']'")
    }

    /// The error for a string that is not closed.
    func unclosed(_ what: String, from start: Int, _ end: String = "") -> JSONError {
        syntax("the \(what) that begins at \(TextPosition(of: start, in: Array(bytes)).short) is not closed\(end)")
    }

    /// The error for a character that a string cannot contain.
    func controlCharacter(inStringFrom start: Int) -> JSONError {
        switch bytes[index] {
        case 0x0A, 0x0D: return unclosed("string", from: start, " on its line")
        case 0x09: return syntax(#"a tab in a string; write it as \t"#)
        case let byte:
            let number = "00" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16).uppercased()
            return syntax(#"a control character in a string; write it as \u\#(number)"#)
        }
    }

    /// The error for an unknown escape.
    var unknownEscape: JSONError {
        let shown = ("\\" + character(at: index + 1)).excerpt
        return syntax(#"unknown escape \#(shown) in a string; write a backslash as '\\'"#)
    }

    /// The error for a malformed number.
    func badNumber(from start: Int) -> JSONError {
        syntax("\(text(start..<index).excerpt) is not a number: a digit must follow")
    }

    /// Returns why the first bytes cannot be JSON, such as a byte order mark, as a sentence; nil if they can.
    static func reason(ofFirstBytes text: [UInt8]) -> String? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { return "a byte order mark is not allowed" }
        if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) { return "this is UTF-16, not UTF-8" }
        if text.starts(with: [0x1F, 0x8B]) { return "this is compressed with gzip, not JSON" }
        return nil
    }

    /// Whether only space precedes the current byte.
    private var isFirst: Bool { bytes[..<index].allSatisfy { $0 <= 0x20 } }

    /// The next word or character, in quotation marks.
    private var found: String {
        let word = bytes[index...].prefix(40).prefix { $0.isLetter }
        return (word.isEmpty ? character(at: index) : String(decoding: word, as: UTF8.self)).excerpt
    }

    private func character(at index: Int) -> String {
        String(decoding: bytes[index...].prefix(4), as: UTF8.self).unicodeScalars.first.map { String($0) } ?? ""
    }
}

extension UInt8 {
    /// Whether the byte can be part of a word or an identifier.
    fileprivate var isLetter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}
