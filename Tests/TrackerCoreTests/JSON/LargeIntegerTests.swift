import Foundation
import TestSupport
import Testing
import TrackerCore

@Suite("Integers beyond 64 bits", .endsWhenItHangs)
struct LargeIntegerTests {
    private static let texts = [
        "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "-170141183460469231731687303715884105728", "340282366920938463463374607431768211455",
    ]

    private static func integer(_ digits: String) throws -> JSONValue {
        .largeInteger(try #require(JSONValue.LargeInteger(digits)))
    }

    @Test("are made of digits that no Int holds, and of nothing else")
    func digits() throws {
        for digits in Self.texts + [String(repeating: "9", count: 308)] {
            let integer = try #require(JSONValue.LargeInteger(digits))
            #expect(integer.digits == digits && integer.description == digits)
        }
        let others = [
            "", "-", "0", "9223372036854775807", "-9223372036854775808", "09223372036854775808", "+9223372036854775808",
            "9223372036854775808.0", "1e30", "\u{663}223372036854775808", String(repeating: "9", count: 400),
        ]
        for text in others { #expect(JSONValue.LargeInteger(text) == nil, "\(text)") }
    }

    @Test("are read and written digit by digit", arguments: texts + [String(repeating: "7", count: 300)])
    func exact(digits: String) throws {
        let text = "{\"a\":[\(digits),1]}"
        let value = try JSONReader.read(Array(text.utf8)).value
        #expect(value["a"]?.array == [try Self.integer(digits), 1])
        #expect(value.description == text)
        var writer = ByteWriter(capacity: 0)
        writer.append(pretty: value["a"] ?? .null)
        #expect(writer.text == "[\n  \(digits),\n  1\n]")
    }

    @Test("are the nearest Double, and no Int")
    func numbers() throws {
        let value = try Self.integer("18446744073709551615")
        #expect(value.double == 0x1p64)
        #expect(value.int == nil && value.string == nil)
        #expect(value.isFinite)
        #expect(try Self.integer("-9223372036854775809").double == -0x1p63)
        #expect(value == (try Self.integer("18446744073709551615")))
        // The same Double, and another number.
        #expect(value != (try Self.integer("18446744073709551614")))
        #expect(value != .double(0x1p64))
    }

    @Test("go through Codable without a change", arguments: texts)
    func codable(digits: String) throws {
        let value: JSONValue = ["a": [try Self.integer(digits), 1, 1.5, 1e30]]
        let data = try JSONEncoder().encode(value)
        #expect(String(decoding: data, as: UTF8.self).contains("[\(digits),1,1.5,"))
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    }

    @Test("are refused by an encoder that cannot hold them")
    func tooLargeToEncode() throws {
        let value: JSONValue = [try Self.integer(String(repeating: "9", count: 40))]
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
        let list: JSONValue = [try Self.integer("-170141183460469231731687303715884105728")]
        #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(list) }
        #expect(
            try PropertyListDecoder().decode(
                JSONValue.self, from: PropertyListEncoder().encode([UInt64.max])) == [try Self.integer("\(UInt64.max)")]
        )
    }
}
