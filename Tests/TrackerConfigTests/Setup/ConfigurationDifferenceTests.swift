import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What a document changes in a service, worked out from the documents alone.
@Suite("What differs between two documents", .endsWhenItHangs)
struct ConfigurationDifferenceTests {
    private typealias Text = DocumentText

    private func document(_ version: Int, _ bundles: String..., more: String = "") throws -> Document {
        let text = bundles.joined(separator: ",")
        return try Document(Array(Text.document(version, text, more: more.isEmpty ? "" : ",\(more)").utf8))
    }

    /// The lines below the head, with their depth as spaces.
    private func lines(
        _ old: Document, _ new: Document, default: DefaultConfiguration = DefaultConfiguration(bundles: [])
    ) -> [String] {
        ConfigurationDifference(from: old, to: new, default: `default`).lines.dropFirst().map { line in
            String(repeating: " ", count: line.indent) + (line.mark.map { "\($0) " } ?? "")
                + line.text.replacing(/\ \([0-9,]+ tried\)/, with: "")
        }
    }

    private func lines(_ old: String, _ new: String) throws -> [String] {
        try lines(document(1, more: old), document(2, more: new))
    }

    @Test("trackers come, go, stay and change, with the layer of each value")
    func trackers() throws {
        let old = try document(1, Text.bundle("a"), Text.bundle("b"), Text.bundle("c"), Text.bundle("d"))
        let new = try document(
            2, Text.bundle("e"), Text.bare("b"), Text.bundle("d"), Text.bare("never"),
            Text.bundle("a", at: "collector.example", #""tracker":{"appId":"shop"}"#, #""emitter":{"emitRange":500}"#))
        #expect(
            lines(old, new) == [
                "trackers", #" + "e" at "collector.example""#, #" - "b" at "collector.example""#, #" ~ "a""#,
                // The executable of a tool is not the service's.
                #"  ~ tracker.appId: the executable's name (built in) → "shop" (remote)"#,
                "  ~ emitter.emitRange: 500 (built in) → 500 (remote)",
                #" = "c" is no longer in the document: its tracker stays as it was until the process ends"#,
            ])
    }

    @Test("a field that is gone falls to the default; a tracker that only the default has is there before and after")
    func defaults() throws {
        let defaults = [
            ConfigurationBundle(namespace: "a", subject: EventSubject { $0.userID = "d" }),
            ConfigurationBundle(namespace: "z", network: NetworkConfiguration(endpoint: "z.example")),
        ]
        let old = try document(1, Text.bundle("a", at: "c.example", #""subject":{"userId":"x"}"#))
        let new = try document(2, Text.bundle("a", at: "c.example"))
        #expect(
            lines(old, new, default: DefaultConfiguration(bundles: defaults)) == [
                "trackers", #" ~ "a""#, #"  ~ subject.userId: "x" (remote) → "d" (default)"#,
            ])
    }

    @Test("a number that is written in another way is no difference, nor is the order of meta's members")
    func spelling() throws {
        func more(_ number: String) -> String {
            """
            "features":{"f":{"variables":{"x":{"value":\(number)}},"rules":[{"id":"r","condition":{"n":\(number)},
            "values":{"x":{"y":\(number)}}}],"metadata":{"n":\(number)}}},
            "experiments":[{"id":"e","variants":[{"name":"only","values":{"f":{"z":[\(number)]}}}]}],"meta":{"n":\(number)}
            """
        }
        #expect(try lines(more("1"), more("1.0")) == ["nothing else differs"])
        let other = try lines(more("1"), more("1.5"))
        #expect(other.filter { !$0.hasPrefix(" ") } == ["meta", "features", "experiments"])
        #expect(
            try lines(#""meta":{"other":{"a":1,"b":2},"gone":1}"#, #""meta":{"gone":1,"other":{"b":2,"a":1}}"#)
                == ["nothing else differs"])
        #expect(
            try lines(#""meta":{"a":1,"gone":1}"#, #""meta":{"a":2,"come":null}"#) == [
                "meta", " + come: null", " - gone: 1", " ~ a: 1 → 2",
            ])
    }

    @Test("a secret that differs is known to differ and is not shown, also if only one document encrypts it")
    func secrets() throws {
        func features(_ secret: String, isEncrypted: Bool = true) -> String {
            """
            "features":{"f":{"variables":{"key":{"value":"\(secret)"\(isEncrypted ? #","encrypted":true"# : "")}},
            "rules":[{"id":"r","values":{"key":"\(secret)"}}]}},
            "experiments":[{"id":"e","variants":[{"name":"a","values":{"f":{"key":"\(secret)"}}}]}]
            """
        }
        let hidden = "the secret differs"
        let old = try document(1, Text.bundle("a", at: "https://u:hush1@c.example"), more: features("hush1"))
        let new = try document(2, Text.bundle("a", at: "https://u:hush2@c.example"), more: features("hush2"))
        let difference = lines(old, new)
        #expect(
            difference.filter { $0.contains(hidden) } == [
                "  ~ network.endpoint: \(hidden)", #"  ~ variable "key": \#(hidden)"#, "   ~ values.key: \(hidden)",
                "  ~ variants.a.values.f.key: \(hidden)",
            ])
        let open = try document(2, more: features("hush2", isEncrypted: false))
        #expect(lines(old, open).contains(#"  - variable "key" encrypted: true"#))
        for lines in [difference, lines(old, open), lines(open, new)] {
            #expect(!lines.contains { $0.contains("hush") }, "\(lines)")
        }
    }

    @Test("versions decide whether the newer document is applied, and whether the older one was in use")
    func decision() throws {
        let one = try document(1, Text.bundle("a"))
        let other = try document(1, Text.bundle("b"))
        let two = try document(2, Text.bundle("a"))
        let same = ConfigurationDifference(from: one, to: one)
        #expect(same.isEmpty && same.lines.map(\.text) == ["no difference"])
        #expect(!ConfigurationDifference(from: one, to: two).isEmpty)
        #expect(ConfigurationDifference(from: one, to: other).decision == .unchanged(isOtherContent: true))
        #expect(ConfigurationDifference(from: two, to: one).decision == .stale(newest: 2))
        let late = ConfigurationDifference(from: one, to: two, defaultVersion: 1)
        #expect(late.lines.first?.mark == "!" && late.lines.first?.text.contains("OLD is not in use") == true)
        #expect(late.decision == .apply && late.lines.last?.text == #""a" at "collector.example""#)
        #expect(ConfigurationDifference(from: one, to: two, defaultVersion: 3).decision == .stale(newest: 3))
        // The order of documents decides; what differs is shown all the same.
        #expect(lines(two, other).contains { $0.hasPrefix(#" + "b""#) })
    }

    @Test("a version that grows by more than a million is warned of", arguments: [1_000_001, 1_000_002])
    func versionJump(version: Int) throws {
        let difference = try ConfigurationDifference(from: document(1), to: document(version))
        let isJump = version > 1_000_001
        #expect(difference.lines.contains { $0.mark == "!" && $0.text.contains("1,000,000") } == isJump)
    }

    @Test("features, variables and rules come, go, change and are tried in another order")
    func features() throws {
        let found = try lines(
            """
            "features":{"same":{"variables":{"a":{"value":1}}},"gone":{},"f":{"enabled":true,"variables":{
            "kept":{"value":[1]},"gone":{"value":1},"v":{"value":1},"t":{"value":1,"title":"x"}},"rules":[
            {"id":"a","enabled":true},{"id":"b","coverage":0.2,"values":{"v":2}},{"id":"c","enabled":false}]}}
            """,
            """
            "features":{"come":{},"same":{"variables":{"a":{"value":1}}},"f":{"metadata":{"owner":"growth"},
            "variables":{"come":{"value":0},"v":{"value":2},"t":{"value":1,"title":"y"},"kept":{"value":[1]}},"rules":[
            {"id":"c","enabled":false},{"id":"d","condition":{"p":1},"enabled":true},
            {"id":"b","coverage":0.5,"values":{"v":3,"w":1}}]}}
            """)
        #expect(
            found == [
                "features", #" + "come""#, #" - "gone""#, #" ~ "f""#, #"  + metadata owner: "growth""#,
                #"  + variable "come": 0"#, "  - enabled: true", #"  - variable "gone": 1"#,
                #"  ~ variable "v": 1 → 2"#, #"  ~ variable "t" title: "x" → "y""#,
                #"  + rule "d": {"id":"d","condition":{"p":1},"enabled":true}"#,
                #"  - rule "a": {"id":"a","enabled":true}"#, #"  ~ rule "b""#, "   + values.w: 1",
                "   ~ coverage: 0.2 → 0.5", "   ~ values.v: 2 → 3", #"  order of the rules: "c", "d", "b""#,
                "  all users get enabled = false",
            ])
    }

    @Test("a rule becomes unusable, rules with one id are told apart, and a moment is compared as a moment")
    func unusable() throws {
        let found = try lines(
            """
            "features":{"f":{"rules":[{"id":"a","range":[0.1,0.3],"enabled":true,"start":"2026-12-11T00:00:00Z"},
            {"id":"a","enabled":false}]}}
            """,
            """
            "features":{"f":{"rules":[{"id":"a","range":[0.1,0.3],"enabled":true,"if":1,"start":"2026-12-11T01:00:00+01:00"},
            {"id":"a","enabled":true}]}}
            """)
        #expect(
            found == [
                "features", #" ~ "f""#, #"  ~ rule "a""#, "   + usable: false", #"  ~ rule "a (2)""#,
                "   ~ enabled: false → true",
                "  all users get enabled = true, and about 80 % of the users that a condition matches",
            ])
    }

    @Test("a feature that leaves the document returns to the default, variable by variable")
    func returns() throws {
        let staff = #"{"id":"staff","condition":{"staff":true},"enabled":true}"#
        let defaults = try Document(
            default: Array(
                Text.document(
                    0,
                    more: """
                        ,"features":{"newCheckout":{"enabled":false,"rules":[\(staff)]},"banner":{"enabled":true},
                        "search":{"variables":{"size":{"value":10},"mode":{"value":"a"}}}}
                        """
                ).utf8))
        let old = try document(
            1,
            more: """
                "features":{"newCheckout":{"enabled":true,"rules":[\(staff)]},"beta":{"enabled":true},"search":{"variables":{
                "size":{"value":20},"mode":{"value":"a"}}}}
                """)
        let new = try document(2, more: #""features":{"banner":{"enabled":true},"search":{"variables":{}}}"#)
        #expect(
            lines(old, new, default: DefaultConfiguration(defaults)) == [
                "features", #" - "beta""#, #" ~ "search""#, #"  ~ variable "size": 20 → 10"#, #" ~ "newCheckout""#,
                "  ~ enabled: true → false", "  the document no longer has it, and the default decides",
                "  all users get enabled = false, apart from the users that a condition matches",
            ])
        // Without a default all of it is gone.
        #expect(lines(old, new).filter { $0.hasPrefix(" -") } == [#" - "newCheckout""#, #" - "beta""#])
    }

    @Test("a document's plain values come before the default's rules, and a disabled default gives nothing")
    func overDefault() throws {
        func bundle(_ features: String) throws -> DefaultConfiguration {
            let text = Text.document(0, more: #","features":{\#(features)}"#)
            return try DefaultConfiguration(Document(default: Array(text.utf8)))
        }
        let rule = #"{"id":"on","enabled":true,"values":{"x":33}}"#
        let (plain, ruled) = (
            #""a":{"enabled":false,"variables":{"x":{"value":3}}}"#,
            #""a":{"enabled":false,"variables":{"x":{"value":3}},"rules":[\#(rule)]}"#
        )
        let (old, new) = (
            try document(1, more: #""features":{\#(ruled)}"#), try document(2, more: #""features":{\#(plain)}"#)
        )
        // The default is a copy of the old document.
        #expect(
            try lines(old, new, default: bundle(ruled)) == [
                "features", #" ~ "a""#, #"  - rule "on": \#(rule)"#, "  all users get enabled = false",
            ])
        let enabled = try document(2, more: #""features":{"a":{"enabled":true}}"#)
        let disabled = try bundle(#""a":{"disabled":true,"variables":{"x":{"value":1}}}"#)
        #expect(
            lines(try document(1), enabled, default: disabled) == [
                "features", #" ~ "a""#, "  + enabled: true", "  - disabled: true", #"  - variable "x": 1"#,
            ])
    }

    @Test("experiments of which the first wins are in another order, and a bucketVersion is no longer taken")
    func orderOfExperiments() throws {
        func experiments(_ ids: String..., more: String = "") -> String {
            let list = ids.map { #"{"id":"\#($0)"\#(more),"variants":[{"name":"a"}]}"# }.joined(separator: ",")
            return #""experiments":[\#(list)]"#
        }
        #expect(
            try lines(experiments("a", "b"), experiments("b", "a"))
                == ["experiments", #" ~ order of the experiments: "b", "a""#])
        let sticky = #","sticky":true,"bucketVersion":2"#
        #expect(
            try lines(experiments("a", more: sticky), experiments("a", more: sticky + #","minBucketVersion":2"#))
                .contains(
                    "  units with a variant that was stored under a bucketVersion below 2 get none"))
        let times = try lines(
            experiments("a", more: #","condition":{"p":1}"#),
            experiments("a", more: #","condition":{"p":1},"start":"2030-01-01T00:00:00Z""#))
        #expect(times.filter { $0.hasPrefix("  ~") || $0.hasPrefix("  +") } == [#"  + start: "2030-01-01T00:00:00Z""#])
    }

    @Test("segments are compared by their members, and show in the rules that name them")
    func segments() throws {
        let rule =
            #""features":{"f":{"enabled":false,"rules":[{"id":"r","condition":{"userId":{"$inGroup":"beta"}},"enabled":true}]}}"#
        #expect(
            try lines(
                #""segments":{"same":["a","b"],"beta":["a","b",3],"gone":[]},\#(rule)"#,
                #""segments":{"come":[1],"same":["b","a"],"beta":["b","c","d"]},\#(rule)"#) == [
                    "segments", #" + "come""#, #" - "gone""#, #" ~ "beta""#, "  2 added, 2 removed, now 3 members",
                    "features", #" ~ "f""#, #"  ~ rule "r""#, "   ~ condition: a segment in it has other members",
                    "  0 % to 100 % of the users that a condition matches get another value, and no others",
                ])
    }

    @Test("experiments are compared key by key, and the rollout is")
    func experiments() throws {
        #expect(
            try lines(
                """
                "experiments":[{"id":"same","variants":[{"name":"a"}]},{"id":"gone","variants":[{"name":"a"}]},
                {"id":"e","countries":["US"],"variants":[{"name":"a","weight":1},{"name":"b","weight":1}]}],
                "rollout":{"percent":10}
                """,
                """
                "experiments":[{"id":"e","sticky":true,"variants":[{"name":"a","weight":1},{"name":"b","weight":3,
                "values":{"f":{"v":1}}}]},{"id":"same","seed":"same","variants":[{"name":"a"}]},
                {"id":"come","variants":[{"name":"a"}]}],"rollout":{"percent":50,"seed":"s"}
                """) == [
                    "experiments", #" + "come""#, #" - "gone""#, #" ~ "e""#, "  + variants.b.values.f.v: 1",
                    #"  - countries: ["US"]"#, "  ~ sticky: false → true", "  ~ variants.b.weight: 1 → 3",
                    "  about 24 % of units get another variant",
                    "  its condition, prerequisites, filters, countries, languages or times differ: units come or go besides",
                    "  sticky from now on: a unit keeps the first variant that it is given",
                    #" ~ order of the experiments: "e", "same", "come""#, "rollout",
                    #" + seed: "s""#, " ~ percent: 10 → 50",
                ])
    }

    @Test(
        "what becomes of the units of an experiment",
        arguments: [
            (#","enabled":false"#, "", ["all units get another variant", "disabled: no unit gets a variant"]),
            (#","if":1"#, "", ["all units get another variant", "unusable: no unit gets a variant"]),
            (#","force":"a""#, "", ["about 25 % of units get another variant"]),
            (#","ranges":[[0,0.5],[0.5,1]]"#, "", ["about 25 % of units get another variant"]),
            (#","namespace":["n",0,0.5]"#, "", ["no units get another variant", "units come or go besides"]),
            (#","seed":"other""#, "", ["about 38 % of units get another variant"]),
            (#","unit":"deviceId""#, "", ["about 38 % of units get another variant"]),
            (
                #","enabled":false"#, #","sticky":true"#,
                ["all units get another variant", "disabled: no unit gets a variant; stored assignments stay"]
            ),
            ("", #","sticky":true,"bucketVersion":1"#, ["units with a stored variant are drawn anew"]),
        ])
    func moves(change: String, both: String, sentences: [String]) throws {
        func experiment(_ members: String) -> String {
            let variants = #""variants":[{"name":"a","weight":3},{"name":"b","weight":1}]"#
            return #""experiments":[{"id":"e","seed":"s"\#(members),\#(variants)}]"#
        }
        let new =
            change.contains("seed")
            ? experiment(change).replacing(#","seed":"s""#, with: "") : experiment(change + both)
        let old = both.contains("bucketVersion") ? experiment(#","sticky":true"#) : experiment(both)
        let found = try lines(old, new)
        for sentence in sentences { #expect(found.contains { $0.hasSuffix(sentence) }, "\(found)") }
    }

    @Test("units of a removed variant are drawn anew if their variants are stored")
    func removed() throws {
        func experiment(_ names: String..., isSticky: Bool) -> String {
            let variants = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
            return #""experiments":[{"id":"e","sticky":\#(isSticky),"variants":[\#(variants)]}]"#
        }
        for isSticky in [true, false] {
            let found = try lines(
                experiment("a", "b", "c", isSticky: isSticky), experiment("a", "b", isSticky: isSticky))
            #expect(found.contains("  about 33 % of units lose their variant and are drawn anew") == isSticky)
        }
    }
}
