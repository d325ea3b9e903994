import FoundationEssentials
import TrackerPlatform
import TrackerThreads

/// Finds the parameters in the bytes of an event.
///
/// The encoder writes an object whose values are all texts. The document reader rejects some of its output, such as a
/// repeated name or many combining marks in a row, so events are not read with it.
enum EventScan {
    /// Whether an event may begin at an offset. No other place matches, because quotes within values are escaped.
    @inline(__always)
    static func isBeginning(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        offset + 3 <= bytes.count && bytes[offset] == UInt8(ascii: "{") && bytes[offset + 1] == UInt8(ascii: "\"")
            && bytes[offset + 2] == UInt8(ascii: "e")
    }

    /// The first value of a parameter; nil if there is none.
    static func value(of name: String, in payload: UnsafeRawBufferPointer) -> String? {
        bytes(of: name, in: payload).flatMap(text)
    }

    /// The raw bytes of the first value of a parameter; nil if there is none.
    static func bytes(of name: String, in payload: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let key = Array("\"\(name)\":\"".utf8)
        guard let start = payload.baseAddress, let found = memmem(start, payload.count, key, key.count) else {
            return nil
        }
        return literal(payload, from: found - UnsafeMutableRawPointer(mutating: start) + key.count)
    }

    /// The first value of a parameter; nil if there is none.
    static func value(of name: String, in payload: [UInt8]) -> String? {
        payload.withUnsafeBytes { value(of: name, in: $0) }
    }

    /// The parameters in their order, including repeated names; nil if the bytes are not an event.
    static func parameters(of payload: [UInt8]) -> [JSONObject.Member]? {
        payload.withUnsafeBytes { bytes in
            var members: [JSONObject.Member] = []
            var offset = 0
            while !bytes.dropFirst(offset).elementsEqual("}".utf8) || members.isEmpty {
                guard bytes.dropFirst(offset).starts(with: (members.isEmpty ? "{\"" : ",\"").utf8),
                    let name = literal(bytes, from: offset + 2),
                    bytes.dropFirst(offset + 2 + name.count).starts(with: "\":\"".utf8),
                    let value = literal(bytes, from: offset + name.count + 5),
                    let nameText = text(name), let valueText = text(value)
                else { return nil }
                members.append((nameText, .string(valueText)))
                offset += name.count + value.count + 6
            }
            return members.contains { $0.name == "eid" } ? members : nil
        }
    }

    /// The bytes up to the closing quote; nil if there is none.
    private static func literal(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UnsafeRawBufferPointer? {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return end < bytes.count ? UnsafeRawBufferPointer(rebasing: bytes[start..<end]) : nil
    }

    /// The text of a literal; nil if the literal is not well-formed.
    private static func text(_ literal: UnsafeRawBufferPointer) -> String? {
        guard literal.contains(UInt8(ascii: "\\")) else { return String(validating: literal, as: UTF8.self) }
        let quote = [UInt8(ascii: "\"")]
        return try? JSONDecoder().decode(String.self, from: Data(quote + literal + quote))
    }
}
