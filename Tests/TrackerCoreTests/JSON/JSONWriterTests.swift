import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("ByteWriter", .endsWhenItHangs)
struct JSONWriterTests {
    private func written(_ value: JSONValue) -> (text: String, isFinite: Bool) {
        var writer = ByteWriter(capacity: 1)
        writer.append(json: value)
        return (writer.text, value.isFinite)
    }

    private func base64(_ bytes: [UInt8]) -> String {
        var writer = ByteWriter(capacity: 1)
        bytes.withUnsafeBytes { writer.append(base64: $0) }
        return writer.text
    }

    @Test("every control character is escaped and nothing else but quotes and backslashes")
    func escapes() throws {
        for code in UInt8(0)...0x7F {
            let character = String(UnicodeScalar(code))
            let text = written(.string(character)).text
            let expected: String =
                switch code {
                case 0x0A: "\\n"
                case 0x0D: "\\r"
                case 0x09: "\\t"
                case 0x22: "\\\""
                case 0x5C: "\\\\"
                case 0..<0x20: "\\u00" + (code < 16 ? "0" : "") + String(code, radix: 16)
                default: character
                }
            #expect(text == "\"\(expected)\"")
        }
    }

    @Test("what needs an escape gets it at every place of a text of every length")
    func escapesAtEveryPlace() {
        let table = [("\"", #"\""#), ("\\", #"\\"#), ("\u{1F}", #"\u001f"#), ("\u{20}", " "), ("é", "é")]
        for length in 1...18 {
            for place in 0..<length {
                let before = String(repeating: "a", count: place)
                let after = String(repeating: "\u{7F}", count: length - place - 1)
                for (character, escaped) in table {
                    #expect(written(.string(before + character + after)).text == "\"\(before)\(escaped)\(after)\"")
                }
            }
        }
    }

    @Test("random values come back from Foundation's reader and from ours")
    func roundTrips() throws {
        let random = SeededRandom(seed: Search.seed(7))
        for round in 0..<Search.count(60) {
            let scalars = (0..<random.next(below: 40)).map { _ in random.scalar() }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            let value: JSONValue = [
                "text": .string(String(text)), "int": .int(Int(truncatingIfNeeded: random.next())),
                "double": .double(random.double()), "list": [.bool(random.next() & 1 == 0), nil],
            ]
            let json = Array(written(value).text.utf8)
            #expect(try JSONReader.read(json).value == value, "round \(round)")
            let parsed = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
            let other = try #require(parsed?["text"] as? String).unicodeScalars
            // Foundation's reader drops a byte order mark that a string begins with.
            let mark: Unicode.Scalar = "\u{FEFF}"
            #expect(other.drop { $0 == mark }.elementsEqual(scalars.drop { $0 == mark }), "round \(round)")
            #expect((parsed?["int"] as? NSNumber)?.intValue == value["int"]?.int, "round \(round)")
            // Foundation's reader does not round as IEEE 754 asks, so its double may be a neighbour of ours.
            let double = try #require((parsed?["double"] as? NSNumber)?.doubleValue)
            let ours = try #require(value["double"]?.double)
            #expect(abs(double - ours) <= abs(ours) * 1e-14, "round \(round)")
        }
    }

    @Test("within a string, JSON is that string's text")
    func writesWithinAString() throws {
        let random = SeededRandom(seed: Search.seed(1))
        for round in 0..<Search.count(100) {
            let texts = (0..<3).map { _ in
                let count = random.next(below: 30)
                return String((0..<count).map { _ in Character(random.next(below: 20) == 0 ? random.scalar() : "a") })
            }
            let value: JSONValue = [
                "a": .string(texts[0]), texts[1]: [.string(texts[2]), 1.25, ["b": .null]], "": -7, "c": .object([:]),
            ]
            var writer = ByteWriter(capacity: 1)
            writer.append(UInt8(ascii: "\""))
            writer.isInString = true
            writer.append(json: value)
            writer.append(quoted: texts[0])
            writer.isInString = false
            writer.append(UInt8(ascii: "\""))
            let text = try JSONReader.read(writer.array).value.string
            #expect(text == written(value).text + written(.string(texts[0])).text, "round \(round)")
        }
    }

    @Test("brackets that close many at once find room", arguments: [false, true])
    func closesMany(isInString: Bool) {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1024)
        defer { memory.deallocate() }
        for depth in [0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 64, 120] {
            let value = (0..<depth).reduce(JSONValue.object([:])) { inner, level in
                level % 2 == 0 ? [inner] : ["": inner]
            }
            let objects = depth / 2
            let quote = isInString ? #"\""# : "\""
            for capacity in [64, 130, 300, 700] {
                memory.initialize(repeating: 0x2D)
                var writer = ByteWriter(borrowing: UnsafeMutableBufferPointer(rebasing: memory[..<capacity]))
                writer.isInString = isInString
                writer.append(json: value)
                #expect(writer.text.replacing("{\(quote)\(quote):", with: "").replacing("[", with: "").hasPrefix("{}"))
                #expect(writer.count == 2 + 2 * (depth - objects) + (3 + 2 * quote.utf8.count) * objects)
                #expect(memory[capacity...].allSatisfy { $0 == 0x2D })
            }
        }
    }

    @Test("base64 is Foundation's, for URLs and without padding, at every length")
    func writesBase64() {
        let random = SeededRandom(seed: 1)
        for length in 0...100 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let expected = Data(bytes).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "=", with: "")
            #expect(base64(bytes) == expected)
        }
    }

    @Test("a number that is not finite is null and told of, however deep it stands")
    func tellsOfNonFiniteNumbers() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(written(.double(number)) == ("null", false))
            #expect(written(["a": [1, ["b": .double(number)], 2]]) == (#"{"a":[1,{"b":null},2]}"#, false))
        }
        #expect(written(["a": [1.5]]) == (#"{"a":[1.5]}"#, true))
    }

    @Test("whole numbers are written with all their digits")
    func writesIntegers() {
        var power = 1
        for _ in 0...17 {
            power *= 10
            for number in [power, power - 1, -power, 1 - power, Int.max / power, Int.min / power] {
                #expect(written(.int(number)).text == "\(number)")
            }
        }
    }

    @Test("memory of the caller is used up to its end, and then left as it is", arguments: [0, 1, 8, 15, 33, 80])
    func borrowsMemory(length: Int) {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 96)
        defer { memory.deallocate() }
        for text in [String(repeating: "a", count: length), String(repeating: "a", count: length) + "\""] {
            for used in 0...64 {
                memory.initialize(repeating: 0x2D)
                var writer = ByteWriter(borrowing: UnsafeMutableBufferPointer(rebasing: memory[..<64]))
                for _ in 0..<used { writer.append(UInt8(ascii: "x")) }
                writer.append(json: ["k": .string(text), "n": 12_345_678_901] as JSONValue)
                let json = "{\"k\":\(written(.string(text)).text),\"n\":12345678901}"
                #expect(writer.text == String(repeating: "x", count: used) + json)
                #expect(memory[64...].allSatisfy { $0 == 0x2D })
            }
        }
    }

    @Test("doubles are written as Swift describes them, amounts too")
    func writesAmounts() {
        let random = SeededRandom(seed: Search.seed(1))
        var wrong: [Double] = []
        for _ in 0..<Search.count(1_000) {
            let digits = Int(random.next(below: 17))
            let number = Double(random.next(below: (0..<digits).reduce(1) { bound, _ in bound * 10 })) / 100
            wrong += [number, -number, number.nextUp, number.nextDown, number / 10, number * 1e4].filter {
                written(.double($0)).text != $0.description
            }
        }
        #expect(wrong == [])
        for number in [0, -0.0, 0.01, 0.1, 100, 0.005, 9_999_999_999_999.99, 1e13, 1e15, 0x1p53, 129.95, 1.005] {
            #expect(written(.double(number)).text == number.description)
        }
    }
}

extension SeededRandom {
    fileprivate func next(below bound: UInt64) -> UInt64 { next() % bound }

    fileprivate func double() -> Double {
        let value = Double(bitPattern: next())
        return value.isFinite && value != 0 ? value : 1.5
    }

    /// A character of any plane, of those that need escapes as often as of others.
    fileprivate func scalar() -> UnicodeScalar {
        switch next(below: 4) {
        case 0: UnicodeScalar(UInt8(next(below: 0x30)))
        case 1: UnicodeScalar(UInt32(0x1F300 + next(below: 0x300)))!
        default: UnicodeScalar(UInt32(next(below: 0x11_0000))) ?? "\\"
        }
    }
}
