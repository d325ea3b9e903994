import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

/// How many units get something else when rules change, by the evaluator that services use.
@Suite("Units that a change affects", .endsWhenItHangs)
struct AffectedUnitsTests {
    private func document(_ version: Int, _ features: String, _ more: String = "") throws -> Document {
        try Document(Array(DocumentText.document(version, more: #","features":{\#(features)}\#(more)"#).utf8))
    }

    /// The last line about the features that differ.
    private func sentence(
        _ old: String, _ new: String, more: (String, String) = ("", ""), default: String = ""
    ) throws -> String {
        let defaults =
            try `default`.isEmpty
            ? DefaultConfiguration(bundles: [])
            : DefaultConfiguration(
                Document(default: Array(DocumentText.document(0, more: #","features":{\#(`default`)}"#).utf8)))
        let lines = try ConfigurationDifference(
            from: document(1, old, more.0), to: document(2, new, more.1), default: defaults, units: 1000
        ).lines.drop { $0.text != "features" }.prefix { $0.text != "experiments" }
        let text = lines.last { $0.indent == 2 && $0.mark == nil }?.text ?? "nothing"
        return text.replacing(/\ \([0-9,]+ tried\)/, with: "")
    }

    /// Compares a sentence, whose percentages are those of 1,000 units.
    private func agree(_ found: String, _ expected: String, _ place: SourceLocation = #_sourceLocation) {
        let (found, expected) = (found.split(separator: " "), expected.split(separator: " "))
        let isEqual =
            found.count == expected.count
            && zip(found, expected).allSatisfy { found, expected in
                guard let number = Int(found), let wanted = Int(expected) else { return found == expected }
                return abs(number - wanted) <= 4
            }
        #expect(isEqual, "\(found.joined(separator: " "))", sourceLocation: place)
    }

    private func feature(_ rules: String..., v: String = "1") -> String {
        #""f":{"enabled":false,"variables":{"v":{"value":\#(v)}},"rules":[\#(rules.joined(separator: ","))]}"#
    }

    private func ramp(_ coverage: Double, _ members: String = #""enabled":true"#) -> String {
        #"{"id":"ramp","coverage":\#(coverage),\#(members)}"#
    }

    @Test("a ramp that grows moves the units between both coverages")
    func ramps() throws {
        for (from, to, words) in [(0.2, 0.5, "about 30 % of"), (0.5, 0.2, "about 30 % of"), (0.25, 1, "about 75 % of")]
        {
            let value = to > from ? "true" : "false"
            agree(try sentence(feature(ramp(from)), feature(ramp(to))), "\(words) users get enabled = \(value)")
        }
        agree(try sentence(feature(ramp(0)), feature(ramp(1))), "all users get enabled = true")
        let device = #""enabled":true,"unit":"deviceId""#
        agree(
            try sentence(feature(ramp(0.2, device)), feature(ramp(0.5, device))),
            "about 30 % of units get enabled = true")
        #expect(try sentence(feature(ramp(0.2)), feature(ramp(0.2, device))).hasPrefix("about 3"))
    }

    @Test("values, their plain values and the order count; a rule that gives what is there anyway does not")
    func values() throws {
        let two = ramp(0.3, #""values":{"v":2}"#)
        agree(try sentence(feature(two), feature()), "about 30 % of users get v = 1")
        agree(try sentence(feature(two, v: "2"), feature(v: "2")), "no users get another value")
        agree(try sentence(feature(two), feature(two, v: "5")), "about 70 % of users get v = 5")
        let three = #"{"id":"three","values":{"v":3}}"#
        agree(try sentence(feature(two, three), feature(three, two)), "about 30 % of users get v = 3")
        // Readers of the variable ignore a value of another type.
        let text = ramp(0.3, #""values":{"v":"two"}"#)
        agree(try sentence(feature(text), feature()), "no users get another value")
        // What the document does not say comes from the default.
        let below = #""f":{"variables":{"v":{"value":2}},"rules":[{"id":"d","coverage":0.1,"values":{"v":7}}]}"#
        let bare = [#""f":{"rules":[\#(two)]}"#, #""f":{}"#]
        agree(try sentence(bare[0], bare[1], default: below), "about 10 % of users get v = 7")
    }

    @Test("of conditions the share of those that match is told apart from that of the others")
    func conditions() throws {
        func pro(_ coverage: Double, _ plan: String = "pro") -> String {
            ramp(coverage, #""enabled":true,"condition":{"plan":"\#(plan)"}"#)
        }
        agree(
            try sentence(feature(pro(0.2)), feature(pro(0.5))),
            "about 30 % of the users that a condition matches get enabled = true, and no others")
        let beta = #"{"id":"b","condition":{"beta":true},"enabled":true}"#
        agree(
            try sentence(feature(beta, ramp(0.2)), feature(beta, ramp(0.5))),
            "about 30 % of users get enabled = true, apart from the users that a condition matches")
        agree(
            try sentence(feature(pro(0.2)), feature(pro(0.2, "free"))),
            "0 % to 20 % of the users that a condition matches get another value, and no others")
        // The second of two conditions that exclude each other is not lost behind the first.
        let free = [5, 7].map { #"{"id":"free","condition":{"plan":"free"},"values":{"v":\#($0)}}"# }
        let first = #"{"id":"pro","condition":{"plan":"pro"},"values":{"v":9}}"#
        agree(
            try sentence(feature(first, free[0]), feature(first, free[1])),
            "0 % to 100 % of the users that a condition matches get v = 7, and no others")
    }

    @Test("conditions are combined, and times, countries and languages are conditions")
    func combinations() throws {
        let matched = "of the users that a condition matches get"
        let base = #","base":{"enabled":false,"rules":[{"id":"b","condition":{"b":1},"enabled":true}]}"#
        func rules(_ value: Int) -> String {
            feature(
                #"{"id":"c","condition":{"c":1},"values":{"v":9}}"#,
                #"{"id":"a","condition":{"a":1},"prerequisites":[{"feature":"base"}],"values":{"v":\#(value)}}"#) + base
        }
        agree(try sentence(rules(2), rules(3)), "0 % to 100 % \(matched) v = 3, and no others")
        let late = #"{"id":"late","start":"2090-01-01T00:00:00Z","enabled":true}"#
        agree(try sentence(feature(), feature(late)), "all \(matched) enabled = true, and no others")
        func experiment(_ countries: String) -> String {
            let variants = #"[{"name":"a"},{"name":"b","values":{"f":{"v":2}}}]"#
            return #","experiments":[{"id":"e"\#(countries),"variants":\#(variants)}]"#
        }
        let (germany, france) = (experiment(#","countries":["DE"]"#), experiment(#","countries":["FR"]"#))
        let rule = #"{"id":"r","experiment":"e"}"#
        agree(
            try sentence(feature(rule), feature(rule), more: (germany, france)),
            "0 % to 50 % \(matched) another value, and no others")
        let nine = (0..<9).map { #"{"id":"\#($0)","condition":{"plan":\#($0)},"values":{"v":\#($0)}}"# }
        #expect(
            try sentence(feature(nine.joined(separator: ",")), feature(nine.joined(separator: ","), v: "7"))
                .hasPrefix("cannot count affected units: "))
    }

    @Test("a share that the units do not show is none of those that were tried")
    func smallShare() throws {
        let rules = [0.000_01, 0.000_05].map { #""f":{"enabled":false,"rules":[\#(ramp($0))]}"# }
        let lines = try ConfigurationDifference(from: document(1, rules[0]), to: document(2, rules[1])).lines
        #expect(lines.last?.text == "no users get another value (10,000 tried)")
        agree(try sentence(feature(ramp(0)), feature(ramp(0.998))), "more than 99 % of users get enabled = true")
    }

    @Test("features with hundreds of variables, and chains that all change, are compared within a bound")
    func bounded() throws {
        let variables = (0..<300).map { #""v\#($0)":{"value":1}"# }.joined(separator: ",")
        func wide(_ coverage: Double) -> String {
            let rules = (0..<5).map { index in
                let values = (0..<300).map { #""v\#($0)":\#(index)"# }.joined(separator: ",")
                return #"{"id":"\#(index)","condition":{"p":\#(index)},"coverage":\#(coverage),"values":{\#(values)}}"#
            }
            return #""f":{"variables":{\#(variables)},"rules":[\#(rules.joined(separator: ","))]}"#
        }
        let lines = try ConfigurationDifference(from: document(1, wide(0.2)), to: document(2, wide(0.5))).lines
        #expect(lines.last?.text.hasSuffix("and no others (25 tried)") == true)
        func chain(_ isEnabled: Bool) -> String {
            (0..<300).map { index in
                let rule = #"{"id":"r","prerequisites":[{"feature":"c\#(index + 1)"}],"enabled":\#(isEnabled)}"#
                return #""c\#(index)":{"rules":[\#(rule)]}"#
            }.joined(separator: ",")
        }
        let changed = try ConfigurationDifference(from: document(1, chain(true)), to: document(2, chain(false))).lines
        #expect(changed.count { $0.text.hasPrefix("cannot count affected units: ") } == 250)
    }

    @Test("filters, prerequisites and experiments decide as in a service")
    func surroundings() throws {
        let filter = #"{"id":"r","filters":[{"seed":"s","ranges":[[0,0.5]]}],"enabled":true}"#
        agree(try sentence(feature(), feature(filter)), "about 50 % of users get enabled = true")
        let needs = #""enabled":true,"prerequisites":[{"feature":"base"}]"#
        let base = [true, false].map { #","base":{"enabled":\#($0)}"# }
        agree(
            try sentence(feature(ramp(0.2, needs)) + base[0], feature(ramp(0.5, needs)) + base[0]),
            "about 30 % of users get enabled = true")
        agree(
            try sentence(feature(ramp(0.2, needs)) + base[0], feature(ramp(0.5, needs)) + base[1]),
            "about 20 % of users get enabled = false")
        let gate = #"{"id":"g","prerequisites":[{"feature":"base","gate":true}]}"#
        agree(
            try sentence(feature(ramp(1)) + base[1], feature(gate, ramp(1)) + base[1]), "all users get enabled = false")
        let experiment = #","experiments":[{"id":"e","variants":[{"name":"a"},{"name":"b","values":{"f":{"v":2}}}]}]"#
        agree(try sentence(feature(), feature(v: "5"), more: (experiment, experiment)), "about 50 % of users get v = 5")
    }

    @Test("a change of a secret is counted, and its value is not shown")
    func secret() throws {
        func feature(_ secret: String) -> String {
            #""f":{"variables":{"k":{"value":"\#(secret)","encrypted":true}},"rules":[{"id":"r","values":{"v":1}}]}"#
        }
        agree(try sentence(feature("hush1"), feature("hush2")), "all users get another value")
    }

    @Test("a thousand changed features with rules and a chain of two thousand prerequisites are compared")
    func many() throws {
        func features(_ coverage: Double) -> String {
            (0..<1000).map { #""f\#($0)":{"rules":[\#(ramp(coverage))]}"# }.joined(separator: ",")
        }
        let lines = try ConfigurationDifference(
            from: document(1, features(0.2)), to: document(2, features(0.5)), units: 100
        ).lines
        #expect(lines.count { $0.text.hasPrefix("about ") } == 1000)
        func chain(_ coverage: Double) -> String {
            let links = (0..<2000).map { index in
                let rule = #"{"id":"r","prerequisites":[{"feature":"c\#(index + 1)"}],"enabled":true}"#
                return #""c\#(index)":{"rules":[\#(rule)]}"#
            }
            let needs = #""enabled":true,"prerequisites":[{"feature":"c0"}]"#
            return ([feature(ramp(coverage, needs))] + links).joined(separator: ",")
        }
        #expect(try sentence(chain(0.2), chain(0.5)).hasPrefix("cannot count affected units: "))
    }

    @Test("the share agrees with what a service reads, whatever the rules")
    func agrees() throws {
        var random = SeededRandom(seed: Search.seed(3))
        func any(_ least: Int) -> String {
            let rules = (0..<Int.random(in: least...4, using: &random)).map { index in
                let bounds = [Double.random(in: 0...1, using: &random), .random(in: 0...1, using: &random)].sorted()
                let range = Bool.random(using: &random) ? #","range":[\#(bounds[0]),\#(bounds[1])]"# : ""
                let enabled = ["", #","enabled":true"#, #","enabled":false"#].randomElement(using: &random)!
                let values =
                    Bool.random(using: &random) ? #","values":{"v":\#(Int.random(in: 1...3, using: &random))}"# : ""
                return #"{"id":"\#(index)"\#(range)\#(enabled)\#(values)}"#
            }
            return feature(rules.joined(separator: ","), v: "\(Int.random(in: 1...3, using: &random))")
        }
        for _ in 0..<Search.count(3) {
            // Without a rule there is no sentence.
            let (old, new) = (any(0), any(1))
            let words = try sentence(old, new)
            let (before, after) = (Features(try document(1, old).features), Features(try document(2, new).features))
            let moved = (0..<1000).count { number in
                let context = FeatureContext(units: ["userId": "unit-\(number)"])
                return before.values(of: "f", for: context) != after.values(of: "f", for: context)
            }
            let number = words.split(separator: " ").compactMap { Int($0) }.first ?? 0
            #expect(abs((words.hasPrefix("all") ? 100 : number) - moved / 10) <= 10, "\(words), \(moved)")
        }
    }
}
