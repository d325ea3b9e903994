import TestSupport
import Testing
import TrackerCore

@Suite("JSONReader", .endsWhenItHangs)
struct JSONReaderTests {
    private func fault(_ text: String) -> JSONError? { fault(Array(text.utf8)) }

    private func fault(_ bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONReader.read(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func value(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)).value }

    @Test(
        "text that is no JSON is a syntax error at its place",
        arguments: [
            ("", 0), (" ", 1), ("{", 1), ("[1,]", 3), ("{\"a\":1,}", 7), ("{a:1}", 1), ("[1 2]", 3), ("{\"a\" 1}", 5),
            ("01", 2), ("-", 1), ("1.", 2), (".5", 0), ("+1", 0), ("1e", 2), ("1e+", 3), ("-01", 3), ("0x1", 1),
            ("tru", 0), ("nul", 0), ("True", 0), ("NaN", 0), ("'a'", 0), ("\"a", 2), ("\"\\x\"", 1), ("\"\\u12g4\"", 1),
            ("\"\\u12\"", 1), ("\"\\", 1), ("\"a\u{1}\"", 2), ("\"\\n\u{1F}\"", 3), ("\"a\nb\"", 2), ("{} {}", 3),
            ("1 x", 2),
            ("[1]]", 3), ("// c", 0), ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1),
            ("\"\\ud800x\"", 1),
        ])
    func refusesWhatIsNoJSON(text: String, offset: Int) {
        let error = fault(text)
        #expect(error?.code == .syntax)
        #expect(error?.offset == offset)
    }

    @Test(
        "the error of bad JSON says what is wrong and what to write instead",
        arguments: [
            ("", "the text is empty"), (" \n", "the text is empty"),
            (" <HTML>", "this is XML or HTML, not JSON"), ("<plist/>", "this is XML or HTML, not JSON"),
            ("key: 1", "this is not JSON, it begins with 'key'"),
            ("{'a': 1}", "keys need double quotes"), ("{a: 1}", "keys need double quotes"),
            ("{1: 1}", "keys need double quotes"), ("{“a”: 1}", "expected a key, found '“'"),
            ("{\"a\": 'b'}", "strings need double quotes"), ("{\"a\": “b”}", "expected a value, found '“'"),
            ("{\"a\": b}", "expected a value, found 'b'"), ("[True]", "expected a value, found 'True'"),
            ("[nul]", "expected a value, found 'nul'"),
            ("{\"a\": 1 \"b\": 2}", "a comma is missing before this key"),
            ("[1 2]", "a comma is missing before this element"),
            ("[1 null]", "a comma is missing before this element"),
            ("[1 x]", "expected ',' or ']', found 'x'"), ("[1}", "expected ',' or ']', found '}'"),
            ("{\"a\": 1]", "expected ',' or '}', found ']'"), ("{\"a\" = 1}", "expected ':', found '='"),
            ("{\"a\"", "expected ':', but the text ends here"),
            ("{\"a\":", "expected a value, but the text ends here"), ("[1,,2]", "expected a value, found ','"),
            ("{\"a\": }", "expected a value, found '}'"), ("{,}", "expected a key, found ','"),
            ("{\"a\": 1,}", "remove the comma before '}'"), ("[1,]", "remove the comma before ']'"),
            ("[ // one\n1]", "comments are not allowed in JSON"), ("[1 /* one */]", "comments are not allowed in JSON"),
            ("# one\n[1]", "comments are not allowed in JSON"),
            ("{} {}", "expected the end of the text, found '{'"), ("{", "the object that begins at 1:1 is not closed"),
            ("{\n  \"a\": {\"b\": 1", "the object that begins at 2:8 is not closed"),
            ("{\"a\": 1,", "the object that begins at 1:1 is not closed"),
            ("[1,\n[2", "the list that begins at 2:1 is not closed"),
            ("{\n\n  \"a: 1,\n}", "the string that begins at 3:3 is not closed on its line"),
            ("{\n\n  \"a: 1,}", "the string that begins at 3:3 is not closed"),
            ("[\"\\", "the string that begins at 1:2 is not closed"),
            ("[\"a\tb\"]", #"a tab in a string; write it as \t"#),
            ("[\"a\u{1}b\"]", #"a control character in a string; write it as \u0001"#),
            (#"["C:\dir"]"#, #"unknown escape '\d' in a string; write a backslash as '\\'"#),
            (#"["\u12"]"#, #"four hexadecimal digits must follow \u in a string"#),
            ("[01]", "a number cannot begin with 0"), ("[-01]", "a number cannot begin with 0"),
            ("[+1]", "expected a value, found '+'"), ("[.5]", "expected a value, found '.'"),
            ("[1.]", "'1.' is not a number: a digit must follow"), ("[-]", "'-' is not a number: a digit must follow"),
            ("[1e+]", "'1e+' is not a number: a digit must follow"), ("{\"a\":1,\"a\":2}", "duplicate key 'a'"),
            ("\u{FEFF}{}", "a byte order mark is not allowed"),
        ])
    func sentences(text: String, reason: String) {
        #expect(fault(text)?.reason == reason)
    }

    @Test("bytes of another encoding are named")
    func encodings() {
        #expect(fault([0xFF, 0xFE, 0x7B, 0])?.reason == "this is UTF-16, not UTF-8")
        #expect(fault([0xFE, 0xFF, 0, 0x7B])?.reason == "this is UTF-16, not UTF-8")
        #expect(fault([0x1F, 0x8B, 8, 0])?.reason == "this is compressed with gzip, not JSON")
        #expect(fault([0x7B, 0xFF, 0xFE])?.reason == "not valid UTF-8")
    }

    @Test("a key that stands twice is refused in an object of any size", arguments: [2, 8, 9, 100])
    func refusesDuplicateKeys(count: Int) throws {
        let names = (0..<count - 1).map { "\"k\($0)\":\($0)" }
        for repeated in Set([0, count / 2, count - 2]).filter({ $0 < count - 1 }) {
            let text = "{" + names.joined(separator: ",") + ",\"k\(repeated)\":0}"
            let error = fault(text)
            #expect(error?.code == .duplicateKey)
            #expect(error?.offset == text.utf8.count - "\"k\(repeated)\":0}".utf8.count)
        }
        #expect(try value("{" + names.joined(separator: ",") + "}").object?.count == count - 1)
    }

    @Test("an escaped key is the same key")
    func unescapesKeysBeforeComparing() throws {
        #expect(fault(#"{"a":1,"\u0061":2}"#)?.code == .duplicateKey)
        #expect(fault(#"{"a":{"a":1},"b":{"a":1}}"#) == nil)
        #expect(try JSONReader.read(Array(#"{"\u0061":1}"#.utf8)).members?["a"]?.integer == 1)
    }

    @Test("128 levels are read, 129 are not", arguments: [("[", "]"), ("{\"a\":", "}")])
    func boundsDepth(open: String, close: String) {
        func nested(_ levels: Int) -> String {
            String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
        }
        #expect(fault(nested(128)) == nil)
        #expect(fault(nested(129))?.code == .tooDeep)
        #expect(fault(nested(129))?.offset == open.utf8.count * 128)
        // Without the bound this would exhaust the stack.
        #expect(fault(String(repeating: open, count: 100_000))?.code == .tooDeep)
    }

    @Test(
        "invalid UTF-8 is refused wherever it stands",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x41],
            [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x41, 0x80],
        ] as [[UInt8]])
    func refusesInvalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(fault([quote, 0x61] + bytes + [quote])?.code == .invalidUTF8)
        #expect(fault([quote, 0x61] + bytes + [quote])?.offset == 2)
        #expect(fault(bytes)?.code == .invalidUTF8)
        #expect(fault([quote, 0x61] + bytes)?.offset == 2)
    }

    @Test("the first and last scalars of each length of UTF-8 are read")
    func readsValidUTF8() throws {
        let text = "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
        #expect(try value("\"\(text)\"").string.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        "a run of combining characters is bounded, however it is written",
        arguments: ["\u{301}\u{316}", "\\u0301\\u0316"])
    func boundsMarks(pair: String) {
        func text(_ pairs: Int) -> String { "[\"a" + String(repeating: pair, count: pairs) + "\"]" }
        #expect(fault(text(64)) == nil)
        #expect(fault(text(65))?.reason == "more than 128 combining characters in a row")
        #expect(fault(text(65))?.offset == 1)
        // Comparing these two keys would take minutes.
        let first = String(repeating: "\u{301}\u{316}", count: 20_000)
        let second = String(repeating: "\u{316}\u{301}", count: 20_000)
        #expect(fault("{\"\(first)\":1,\"\(second)\":2}")?.offset == 1)
        #expect(fault("\"" + String(repeating: "e\u{301}", count: 10_000) + "\"") == nil)
    }

    @Test("all escapes are read")
    func readsEscapes() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\ud83d\ude00x""#
        #expect(try value(text).string == "\"\\/\u{8}\u{C}\n\r\t\0é€😀x")
    }

    @Test("whole numbers are integers and others are not")
    func tellsIntegersFromNumbers() throws {
        #expect(try value("0") == .int(0))
        #expect(try value("-0") == .int(0))
        #expect(try value("9223372036854775807") == .int(.max))
        #expect(try value("-9223372036854775808") == .int(.min))
        #expect(try value("1e5") == .double(100_000))
        #expect(try value("1.0") == .double(1))
        #expect(try value("-2.5E-1") == .double(-0.25))
        #expect(try value("1e-999") == .double(0))
    }

    @Test("values and keys know their offsets, and offsets their lines and columns")
    func knowsPlaces() throws {
        let text = Array("{\n  \"é\": [1,\n\ttrue]\n}".utf8)
        let node = try JSONReader.read(text)
        guard let members = node.members, case .array(let elements) = members[0].value.content else {
            Issue.record("the text was read wrongly")
            return
        }
        #expect(members[0].nameOffset == 4)
        #expect(TextPosition(of: members[0].nameOffset, in: text) == TextPosition(of: 4, in: text))
        #expect(TextPosition(of: members[0].nameOffset, in: text).description == "line 2, column 3")
        // A column is a character, not a byte: the letter before has two.
        #expect(TextPosition(of: members[0].value.offset, in: text).description == "line 2, column 8")
        #expect(TextPosition(of: elements[1].offset, in: text).description == "line 3, column 2")
    }

    @Test("words, white space and empty containers are read")
    func readsTheRest() throws {
        #expect(try value(" \t\r\n[ true , false,null , {} , [ ] ] ") == [true, false, nil, [:], []])
    }
}
