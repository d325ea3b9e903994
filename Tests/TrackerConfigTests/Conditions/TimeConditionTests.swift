import TestSupport
import Testing
import TrackerFeatures

/// Conditions on moments, on addresses and on parts of versions.
@Suite("Conditions on moments and addresses", .endsWhenItHangs)
struct TimeConditionTests {
    private static func matches(_ condition: String, _ value: String?) throws -> Bool {
        let compiled = try Condition(text: #"{"a":\#(condition)}"#)
        #expect(compiled.problems.isEmpty, "\(compiled.problems)")
        return compiled.matches(try JSONObject(text: value.map { #"{"a":\#($0)}"# } ?? "{}"))
    }

    private static func problems(_ condition: String) throws -> [String] {
        try Condition(text: #"{"a":\#(condition)}"#).problems.map { "\($0.path): \($0.reason)" }
    }

    @Test(
        "$before and $after compare moments, whatever their offsets, and nothing else",
        arguments: [
            (#""2023-11-14T22:13:19.999Z""#, true, false), (#""2023-11-14T22:13:20Z""#, false, false),
            (#""2023-11-14T23:43:20+01:30""#, false, false), (#""2023-11-14T21:13:20.001-01:00""#, false, true),
            ("1699999999999", true, false), ("1700000000000", false, false), ("1700000000000.5", false, false),
            ("1700000000001", false, true), ("0", true, false), ("1e300", false, false), (nil, false, false),
            ("null", false, false), (#""1699999999999""#, false, false), (#""2023-11-14""#, false, false),
            ("true", false, false), ("[]", false, false), (#""""#, false, false),
        ] as [(String?, Bool, Bool)])
    func moments(value: String?, isBefore: Bool, isAfter: Bool) throws {
        let operand = #""2023-11-14T22:13:20Z""#
        #expect(try Self.matches(#"{"$before":\#(operand)}"#, value) == isBefore)
        #expect(try Self.matches(#"{"$after":\#(operand)}"#, value) == isAfter)
    }

    @Test(
        "an operand that is no moment is a problem with its place",
        arguments: [
            (#"{"$before":"2023-11-14T22:13:20"}"#, "'2023-11-14T22:13:20' has no offset or no time"),
            (#"{"$before":"tomorrow"}"#, "expected a moment with an offset"),
            (#"{"$before":1700000000000}"#, "expected a moment as a text"),
        ])
    func unusableMoments(condition: String, reason: String) throws {
        let problems = try Self.problems(condition)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(".a.$before: \(reason)") == true, "\(problems)")
    }

    @Test(
        "$cidr compares addresses with networks",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.9.9.9/8", "10.0.0.1", true),
            ("192.168.1.7", "192.168.1.7", true), ("192.168.1.7", "192.168.1.8", false), ("0.0.0.0/0", "1.2.3.4", true),
            ("192.168.1.128/25", "192.168.1.127", false), ("192.168.1.128/25", "192.168.1.200", true),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "::FFFF:0a01:0203", true),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true), ("::ffff:10.0.0.0/104", "11.1.2.3", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("2001:DB8::/32", "2001:0db8:0:0:0:0:0:1", true), ("::1", "::1", true), ("::/0", "fe80::1", true),
            ("::/0", "10.1.2.3", false), ("0.0.0.0/0", "::1", false), ("64:ff9b::/96", "64:ff9b::192.0.2.33", true),
            // Not read as addresses.
            ("0.0.0.0/0", "10.1.2", false), ("0.0.0.0/0", "10.1.2.256", false), ("0.0.0.0/0", "010.1.2.3", false),
            ("0.0.0.0/0", "10.1.2.3 ", false), ("0.0.0.0/0", "10.1.2.3:80", false), ("::/0", "fe80::1%eth0", false),
            ("::/0", "1::2::3", false), ("::/0", ":::", false), ("::/0", "1:2:3:4:5:6:7", false), ("::/0", "", false),
            ("::/0", "1:2:3:4:5:6:7:8:9", false), ("::/0", "12345::", false), ("::/0", "1.2.3.4::", false),
        ])
    func networks(network: String, address: String, isWithin: Bool) throws {
        #expect(try Self.matches(#"{"$cidr":"\#(network)"}"#, #""\#(address)""#) == isWithin)
        #expect(try Self.matches(#"{"$cidr":["203.0.113.0/24","\#(network)"]}"#, #""\#(address)""#) == isWithin)
        #expect(try Self.matches(#"{"$not":{"$cidr":"\#(network)"}}"#, #""\#(address)""#) == !isWithin)
    }

    @Test("what is no text is in no network", arguments: [nil, "null", "10", #"["10.1.2.3"]"#])
    func noAddress(value: String?) throws {
        #expect(try !Self.matches(#"{"$cidr":["0.0.0.0/0","::/0"]}"#, value))
        #expect(try !Self.matches(#"{"$cidr":[]}"#, value))
    }

    @Test(
        "an operand that is no network is a problem with its place",
        arguments: [
            ("\"10.0.0.0/33\"", "'10.0.0.0/33'"), ("\"::/129\"", "'::/129'"), ("\"10.0.0.0/\"", "'10.0.0.0/'"),
            ("\"10.0.0.0/08\"", "'10.0.0.0/08'"), ("\"10.0.0.0/-1\"", "'10.0.0.0/-1'"),
            ("\"10.0.0.0/8/8\"", "'10.0.0.0/8/8'"),
            ("\"::ffff:10.0.0.0/8\"", "'::ffff:10.0.0.0/8'"), ("\"intranet\"", "'intranet'"), ("8", "an integer"),
            (#"["10.0.0.0/8","x"]"#, "'x'"),
        ])
    func unusableNetworks(operand: String, found: String) throws {
        let reason = "expected a network, as '10.0.0.0/8' or '2001:db8::/32', found \(found)"
        #expect(try Self.problems(#"{"$cidr":\#(operand)}"#) == [".a.$cidr: \(reason)"])
    }

    @Test(
        "parts of versions are numbers of any length, and of any count",
        arguments: [
            ("$vgte", "7.1.99990", "7.1.100012", true), ("$vlt", "7.1.100000", "7.1.99999", true),
            ("$vgte", "4.2.0-build.99999", "4.2.0-build.100000", true), ("$vgte", "120.0.6099", "120.0.6099.109", true),
            ("$veq", "1.2.3", "1.2.3.0", true), ("$veq", "2.0.0.0", "2", true), ("$vlt", "1.2.3", "1.2.3.4", false),
            ("$vgte", "17.4", "17.4.1", true), ("$vlt", "1.2.3.4", "1.2.3.4-rc", true),
            ("$vgt", "18446744073709551615", "18446744073709551616", true), ("$veq", "1.02", "1.2.00", true),
            ("$veq", "20240601", "020240601.0", true), ("$vgt", "1.0.0-9", "1.0.0-10", true),
        ])
    func longVersions(name: String, operand: String, value: String, holds: Bool) throws {
        #expect(try Self.matches(#"{"\#(name)":"\#(operand)"}"#, "\"\(value)\"") == holds)
    }

    @Test(
        "a version of fewer parts is completed by zeros, if both are versions",
        arguments: [
            ("$veq", "2.0.0", #""2""#, true), ("$veq", "2.0.0", #""2.0""#, true), ("$veq", "2", #""2.0.0""#, true),
            ("$veq", "2.0", "2", true), ("$veq", "v2", #""2.0.0+5""#, true), ("$vgt", "2.0", #""2.0.0""#, false),
            ("$vlt", "2.0.1", #""2""#, true), ("$vgt", "2.0.0-rc.1", #""2""#, true),
            ("$vlt", "2", #""2.0.0-rc.1""#, true),
            ("$veq", "2.0.0-rc.1", #""2-rc.1""#, true), ("$vgte", "10", #""9.9.9""#, false),
            ("$vgt", "1.9", #""1.10""#, true), ("$veq", "2.1", "2.1", true),
            // As in GrowthBook.
            ("$vgt", "2.0.0", #""not-a-version""#, true), ("$vlt", "1.0", nil, true), ("$veq", "0", nil, true),
            ("$veq", "2..0", #""2""#, false), ("$veq", "2024.6.1", #""2024-06-01""#, true),
            ("$vlt", "1.2.3", #""1.2.3-4""#, true), ("$vgt", "1.2.3-a.9", #""1.2.3-a.b""#, true),
        ] as [(String, String, String?, Bool)])
    func versions(name: String, operand: String, value: String?, holds: Bool) throws {
        #expect(try Self.matches(#"{"\#(name)":"\#(operand)"}"#, value) == holds)
    }
}
