import TestSupport
import Testing
import TrackerFeatures

/// What patterns mean.
@Suite("Regular expressions", .endsWhenItHangs)
struct RegularExpressionTests {
    typealias Row = (pattern: String, found: [String], notFound: [String])

    private func check(_ row: Row, ignoresCase: Bool = false) throws {
        let expression = try RegularExpression(row.pattern, ignoresCase: ignoresCase)
        for text in row.found {
            #expect(expression.search(text) == .found, "\(row.pattern) in \(text.debugDescription)")
        }
        for text in row.notFound {
            #expect(expression.search(text) == .notFound, "\(row.pattern) in \(text.debugDescription)")
        }
    }

    @Test(
        "literals, alternatives, groups and anchors",
        arguments: [
            ("", ["", "x"], []), ("abc", ["abc", "xabcx", "ababc"], ["", "ab", "abx c"]), ("^abc", ["abcx"], ["xabc"]),
            ("abc$", ["xabc"], ["abcx", "abc\n"]), ("^$", [""], ["x", "\n"]), ("^", ["", "x"], []),
            ("$", ["", "x"], []),
            ("a|b|c", ["b", "xc"], ["x", ""]), ("^(a|bc)d$", ["ad", "bcd"], ["abcd", "bd"]), ("a|", ["", "x"], []),
            ("^(?:a|)$", ["", "a"], ["b"]), ("(?<name>a)b", ["ab"], ["b"]),
            ("(Mobile|Tablet)", ["Android Mobile"], ["Desktop"]),
            ("@example\\.com$", ["a@example.com", "@@example.com"], ["a@example.com.evil", "a@exampleXcom"]),
            ("x^a", [], ["xa", "a"]), ("a$b", [], ["ab"]), ("(^a|b)c", ["acx", "xbc"], ["xac"]), ("()()a", ["a"], [""]),
            ("^^a$$", ["a"], ["aa"]), ("é", ["caf\u{e9}"], ["cafe\u{301}"]), ("😀b", ["a😀b"], ["😁b"]),
        ] as [Row])
    func structure(row: Row) throws { try check(row) }

    @Test(
        "quantifiers, greedy and lazy",
        arguments: [
            ("^a*$", ["", "aaa"], ["ab"]), ("^a+$", ["a", "aa"], ["", "b"]), ("^a?b$", ["b", "ab"], ["aab"]),
            ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaa"], ["a"]),
            ("^a{1,3}$", ["a", "aaa"], ["", "aaaa"]), ("^a{0}b$", ["b"], ["ab"]), ("^a*?b+?$", ["b", "aabb"], ["a"]),
            ("^(ab){2,3}?$", ["abab", "ababab"], ["ab"]),
            ("^(a*)*$", ["", "aaa"], ["b"]), ("^(a*)+b$", ["b", "aab"], ["a"]), ("^(?:a?){3}$", ["", "aaa"], ["aaaa"]),
            ("^a{$", ["a{"], ["a"]), ("^a{,2}$", ["a{,2}"], ["aa"]), ("^a{x}$", ["a{x}"], ["a"]), ("^}]$", ["}]"], []),
            ("^.{3}$", ["abc", "a😀c"], ["ab", "abcd"]), ("^(a|b)*c$", ["abbac", "c"], ["abd"]),
        ] as [Row])
    func quantifiers(row: Row) throws { try check(row) }

    @Test(
        "classes and escapes",
        arguments: [
            ("^[abc]$", ["a", "c"], ["d", "", "ab"]), ("^[^abc]$", ["d", "é", "\n"], ["a"]),
            ("^[a-c_]$", ["b", "_"], ["d", "-"]),
            ("^[a-]$", ["a", "-"], ["b"]), ("^[-a]$", ["a", "-"], ["b"]), ("^[\\d-x]$", ["5", "-", "x"], ["y"]),
            ("^[]]$", [], ["]", ""]), ("^[^]$", ["]", "\n", "😀"], [""]), ("^[\\]\\\\]$", ["]", "\\"], ["a"]),
            ("^[\\b]$", ["\u{8}"], ["b"]), ("^[.*$]$", [".", "*", "$"], ["a"]), ("^[à-ü]$", ["é"], ["e", "ÿ"]),
            ("^[\\W]$", ["-", "é"], ["a", "_"]), ("^[^\\W]$", ["a"], ["-", "é"]), ("^[^\\s\\d]$", ["a"], [" ", "1"]),
            ("^\\d\\D$", ["1a", "0é"], ["11", "٣a"]), ("^\\w\\W$", ["_-", "aé"], ["-a", "é-"]),
            ("^\\s\\S$", [" a", "\u{a0}a", "\u{feff}a", "\u{2028}a", "\u{b}a"], ["a ", "\u{200b}a"]),
            ("^.$", ["a", "😀", "\u{85}"], ["\n", "\r", "\u{2028}", "\u{2029}", ""]),
            ("^\\t\\n\\r\\f\\v\\0$", ["\t\n\r\u{c}\u{b}\0"], [""]), ("^\\x41\\u00e9\\cJ$", ["Aé\n"], ["A"]),
            ("^😀$", ["😀"], ["😁"]), ("^[\\u0041-\\u0043]$", ["B"], ["D"]),
            ("^\\/\\-\\.\\@$", ["/-.@"], ["/-x@"]), ("^[😀-😂]$", ["😁"], ["😃"]),
        ] as [Row])
    func classes(row: Row) throws { try check(row) }

    @Test(
        "word boundaries",
        arguments: [
            ("\\bcat\\b", ["cat", "a cat.", "é cat"], ["cats", "concat", "_cat"]),
            ("\\Bcat", ["concat"], ["cat", " cat"]),
            ("cat\\B", ["cats"], ["cat", "cat "]), ("^\\b", ["a"], ["", "-"]), ("^\\B$", [""], ["a"]),
            ("\\b$", ["a"], ["", "a "]), ("a\\b.", ["a-", "aé"], ["ab"]), ("é\\ba", ["éa"], ["é a"]),
        ] as [Row])
    func boundaries(row: Row) throws { try check(row) }

    @Test("a loop and its exit may begin with the same assertion")
    func assertionsOfLoops() throws {
        #expect(try RegularExpression(#"(?:\bvery\s)*\bgood"#).search("very  good") == .found)
        let audience = Condition(["v": ["$notRegex": #"(?:\bvery\s)*\bgood"#]])
        #expect(!audience.matches { _ in "very  good" })
    }

    @Test(
        "in any case",
        arguments: [
            ("mobile", ["MOBILE", "Mobile"], ["mobil"]), ("^[a-c]$", ["B"], ["D"]), ("^[^a-c]$", ["D"], ["B", "b"]),
            ("É", ["é"], ["e"]), ("^[à-ü]$", ["É"], ["E"]), ("^[^à-ü]$", ["e"], ["É", "é"]),
            ("straße", ["STRAßE"], ["STRASSE"]), ("^(σ|ς1)$", ["σ", "ς", "Σ", "Σ1"], ["s"]), ("[σ]", ["ς"], ["s"]),
            // The Kelvin sign and the long s are no cases of ASCII letters.
            ("k", ["K"], ["\u{212a}"]), ("\u{212a}", ["\u{212a}"], ["k", "K"]), ("s", ["S"], ["\u{17f}"]),
            ("1_", ["1_"], ["1-"]), ("[^x]\\D", ["aY"], ["X1"]),
        ] as [Row])
    func anyCase(row: Row) throws { try check(row, ignoresCase: true) }

    @Test(
        "a pattern that is malformed or not supported is refused with its place",
        arguments: [
            ("(a", "'(' has no ')' after it (character 1)"), ("a)", "')' has no '(' before it (character 2)"),
            ("[a", "'[' has no ']' after it (character 1)"), ("*a", "there is nothing to repeat (character 1)"),
            ("a**", "there is nothing to repeat (character 3)"), ("^*", "there is nothing to repeat (character 2)"),
            ("a|{2}", "there is nothing to repeat (character 3)"),
            ("a\\", "the pattern ends with a backslash (character 2)"),
            ("a{3,2}", "the numbers of a quantifier are out of order (character 2)"),
            ("[z-a]", "the ends of a range are out of order (character 2)"),
            ("(a)\\1", "back references are not supported (character 4)"),
            ("(?<n>a)\\k<n>", "back references are not supported (character 8)"),
            ("a(?=b)", "look-ahead is not supported (character 2)"),
            ("a(?!b)", "look-ahead is not supported (character 2)"),
            ("(?<=b)a", "look-behind is not supported (character 1)"),
            ("(?<!b)a", "look-behind is not supported (character 1)"),
            ("(?i:a)", "this kind of group is not supported (character 1)"),
            ("(?<a", "a group's name is not complete (character 1)"),
            ("\\p{L}", "Unicode properties such as '\\p{L}' are not supported (character 1)"),
            ("\\01", "octal escapes are not supported; use \\xHH (character 1)"),
            ("[\\1]", "octal escapes are not supported; use \\xHH (character 2)"),
            ("\\x4", "an escape of a character needs 2 hexadecimal digits (character 1)"),
            ("\\u{41}", "an escape of a character needs 4 hexadecimal digits (character 1)"),
            ("\\ud83d", "write the character in the place of its surrogates (character 1)"),
            ("\\c1", "'\\c' needs a letter after it (character 1)"),
            ("/???***[)", "there is nothing to repeat (character 4)"),
        ])
    func refused(pattern: String, description: String) {
        #expect {
            try RegularExpression(pattern)
        } throws: { error in
            "\(error)" == description
        }
    }
}
