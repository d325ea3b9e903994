extension JSONReader {
    /// What may come next in a text.
    enum Expected {
        case value
        case key
        case colon
        /// A comma or the brace after a member.
        case memberEnd
        /// A comma or the bracket after an element.
        case elementEnd
        /// Nothing after the value.
        case end
    }

    /// The most bytes of a word that an error shows.
    private static let maxWordLength = 40

    func syntax(_ reason: String) -> JSONError {
        JSONError(code: .syntax, reason: reason, offset: index)
    }

    /// The error of a text that does not go on as it must.
    /// - Parameters:
    ///   - what: What may come next.
    ///   - container: Where the object or the list around it begins, in bytes; nil if there is none.
    /// - Returns: The error at the current byte.
    @inline(never)
    func expected(_ what: Expected, in container: Int? = nil) -> JSONError {
        guard index < count else { return syntax(reasonAtEnd(what, container)) }
        if isComment { return syntax("comments are not allowed in JSON") }
        return syntax(reason(what))
    }

    /// The error of a string without its end.
    /// - Parameter start: Where the string begins, in bytes.
    /// - Returns: The error at the current byte.
    @inline(never)
    func unclosedString(from start: Int) -> JSONError {
        syntax("the string that begins at \(position(of: start)) is not closed")
    }

    /// The error of a character that a string cannot contain.
    /// - Parameter start: Where the string begins, in bytes.
    /// - Returns: The error at the current byte.
    @inline(never)
    func controlCharacter(inStringFrom start: Int) -> JSONError {
        switch bytes[index] {
        case 0x0A, 0x0D: return syntax("the string that begins at \(position(of: start)) is not closed on its line")
        case 0x09: return syntax(#"a tab in a string; write it as \t"#)
        case let byte:
            let digits = String(byte, radix: 16, uppercase: true)
            let number = String(repeating: "0", count: 4 - digits.count) + digits
            return syntax(#"a control character in a string; write it as \u\#(number)"#)
        }
    }

    /// The error of a backslash before a character that needs none.
    var unknownEscape: JSONError {
        let next = String(decoding: text[(index + 1)...].prefix(4), as: UTF8.self)
        let shown = ("\\" + String(String.UnicodeScalarView(next.unicodeScalars.prefix(1)))).excerpt
        return syntax(#"unknown escape \#(shown) in a string; write a backslash as '\\'"#)
    }

    /// The error of a number.
    /// - Parameter start: Where the number begins, in bytes.
    /// - Returns: The error at the current byte.
    @inline(never)
    func badNumber(from start: Int) -> JSONError {
        let number = String(decoding: text[start..<index], as: UTF8.self)
        if number.hasPrefix("0") || number.hasPrefix("-0"), number.allSatisfy({ $0 != "." && $0.lowercased() != "e" }) {
            return syntax("a number cannot begin with 0")
        }
        return syntax("\(number.excerpt) is not a number: a digit must follow")
    }

    /// The encoding or mark in the first bytes that prevents reading, as a sentence; nil if there is none.
    static func reason(ofFirstBytes text: [UInt8]) -> String? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { return "a byte order mark is not allowed" }
        if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) { return "this is UTF-16, not UTF-8" }
        if text.starts(with: [0x1F, 0x8B]) { return "this is compressed with gzip, not JSON" }
        return nil
    }

    private func reasonAtEnd(_ what: Expected, _ container: Int?) -> String {
        switch what {
        case .value where text.allSatisfy { $0 <= 0x20 }: return "the text is empty"
        case .value: return "expected a value, but the text ends here"
        case .colon: return "expected ':', but the text ends here"
        case .key, .memberEnd, .elementEnd, .end:
            guard let container else { return "the text ends here" }
            let kind = what == .elementEnd ? "list" : "object"
            return "the \(kind) that begins at \(position(of: container)) is not closed"
        }
    }

    private func reason(_ what: Expected) -> String {
        switch what {
        case .value: reasonWithoutValue
        case .key: reasonWithoutKey
        case .colon: "expected ':', found \(found)"
        case .memberEnd where bytes[index] == UInt8(ascii: "\""): "a comma is missing before this key"
        case .memberEnd: "expected ',' or '}', found \(found)"
        case .elementEnd where beginsValue: "a comma is missing before this element"
        case .elementEnd: "expected ',' or ']', found \(found)"
        case .end: "expected the end of the text, found \(found)"
        }
    }

    private var reasonWithoutKey: String {
        if isTypographicQuote { return "keys need straight double quotes" }
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return "keys need double quotes"
        case let byte where Self.isLetter(byte): return "keys need double quotes"
        default: return "expected a key, found \(found)"
        }
    }

    private var reasonWithoutValue: String {
        if isTypographicQuote { return "strings need straight double quotes" }
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): return "strings need double quotes"
        case UInt8(ascii: "<") where isFirst: return isHTML ? "this is HTML, not JSON" : "this is XML or HTML, not JSON"
        case UInt8(ascii: "+"), UInt8(ascii: "."): return "a number cannot begin with \(found)"
        case let byte where Self.isLetter(byte): return reason(ofWord: word)
        default: return "expected a value, found \(found)"
        }
    }

    private func reason(ofWord word: String) -> String {
        switch word.lowercased() {
        case "true", "false", "null": "\(word.excerpt) is not a value; write \(word.lowercased())"
        case _ where isFirst: "this is not JSON, it begins with \(word.excerpt)"
        case "none", "nil", "undefined": "\(word.excerpt) is not a value; write null"
        case "nan", "inf", "infinity": "\(word.excerpt) is not a number in JSON"
        default: "\(word.excerpt) is not a value; strings need double quotes"
        }
    }

    /// Whether no value comes before.
    private var isFirst: Bool { text[..<index].allSatisfy { $0 <= 0x20 } }

    private var isHTML: Bool {
        let start = String(decoding: text[index...].prefix(14), as: UTF8.self).lowercased()
        return start.hasPrefix("<html") || start.hasPrefix("<!doctype html")
    }

    private var isComment: Bool {
        let next = text[index...].prefix(2)
        return next.elementsEqual("//".utf8) || next.elementsEqual("/*".utf8) || next.first == UInt8(ascii: "#")
    }

    private var beginsValue: Bool {
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: ["true", "false", "null"].contains(word)
        }
    }

    /// The letters and digits from here on.
    private var word: String {
        let word = text[index...].prefix { Self.isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return String(decoding: word.prefix(Self.maxWordLength), as: UTF8.self)
    }

    /// Whether one of the quotation marks that word processors write comes next.
    private var isTypographicQuote: Bool {
        let next = Array(text[index...].prefix(3))
        return next.count == 3 && next.starts(with: [0xE2, 0x80]) && 0x98...0x9F ~= next[2]
    }

    /// The next character, in quotation marks.
    private var found: String {
        let next = String(decoding: text[index...].prefix(4), as: UTF8.self)
        return String(String.UnicodeScalarView(next.unicodeScalars.prefix(1))).excerpt
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// A place as `3:14`.
    private func position(of offset: Int) -> String { TextPosition(of: offset, in: text).short }
}
