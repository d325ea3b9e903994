import Glibc

/// Finds the parameters in the bytes of an event.
///
/// What the encoder writes is an object whose values are all texts. The document reader refuses some of it, such as a name
/// twice or many combining marks in a row, so events are not read with it.
enum EventScan {
    /// Whether an event may begin at an offset. No other place in an event looks so, because quotes within values are escaped.
    @inline(__always)
    static func isBeginning(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        offset + 3 <= bytes.count && bytes[offset] == UInt8(ascii: "{") && bytes[offset + 1] == UInt8(ascii: "\"")
            && bytes[offset + 2] == UInt8(ascii: "e")
    }

    /// The first value of a parameter; nil without one.
    static func value(of name: String, in payload: UnsafeRawBufferPointer) -> String? {
        let key = Array("\"\(name)\":\"".utf8)
        guard let start = payload.baseAddress, payload.count >= key.count else { return nil }
        for place in 0...payload.count - key.count
        where payload[place] == key[0] && memcmp(start + place, key, key.count) == 0 {
            return text(payload, from: place + key.count)?.text
        }
        return nil
    }

    /// The first value of a parameter; nil without one.
    static func value(of name: String, in payload: [UInt8]) -> String? {
        payload.withUnsafeBytes { value(of: name, in: $0) }
    }

    /// The parameters, in their order, and a name as often as it is there; nil if the bytes are no event.
    static func parameters(of payload: [UInt8]) -> [JSONObject.Member]? {
        payload.withUnsafeBytes { bytes in
            guard bytes.first == UInt8(ascii: "{") else { return nil }
            var members: [JSONObject.Member] = []
            var place = 1
            while place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
                guard let (name, colon) = text(bytes, from: place + 1), colon + 1 < bytes.count,
                    bytes[colon] == UInt8(ascii: ":"), bytes[colon + 1] == UInt8(ascii: "\""),
                    let (value, end) = text(bytes, from: colon + 2), end < bytes.count
                else { return nil }
                members.append((name, .string(value)))
                place = end + 1
                if bytes[end] == UInt8(ascii: "}"), place == bytes.count {
                    return members.contains { $0.name == "eid" } ? members : nil
                }
                guard bytes[end] == UInt8(ascii: ",") else { return nil }
            }
            return nil
        }
    }

    /// Reads a text up to its closing quote.
    /// - Returns: The text, and the place after the quote; nil if it is not well-formed.
    private static func text(_ bytes: UnsafeRawBufferPointer, from start: Int) -> (text: String, end: Int)? {
        var content: [UInt8] = []
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: content, as: UTF8.self).map { ($0, place) }
            case UInt8(ascii: "\\"):
                guard appendEscape(bytes, &place, to: &content) else { return nil }
            case ..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    /// Reads what follows a backslash.
    private static func appendEscape(
        _ bytes: UnsafeRawBufferPointer, _ place: inout Int, to content: inout [UInt8]
    ) -> Bool {
        guard place < bytes.count else { return false }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            guard var code = hexadecimal(bytes, &place) else { return false }
            if 0xD800...0xDBFF ~= code, place + 2 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
                bytes[place + 1] == UInt8(ascii: "u")
            {
                place += 2
                guard let low = hexadecimal(bytes, &place), 0xDC00...0xDFFF ~= low else { return false }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { return false }
            content.append(contentsOf: UTF8.encode(scalar)!)
        default: return false
        }
        return true
    }

    private static func hexadecimal(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        var code: UInt32 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            code = code << 4 | UInt32(digit)
        }
        place += 4
        return code
    }
}
