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
        return try Document(Array(Text.document(version, text, more: more).utf8))
    }

    @Test("trackers come, go, stay, change and are untouched")
    func trackers() throws {
        let old = try document(1, Text.bundle("a"), Text.bundle("b"), Text.bundle("c"), Text.bundle("d"))
        let new = try document(
            2, Text.bundle("e"), Text.bare("b"), Text.bundle("d"), Text.bare("never"),
            Text.bundle("a", at: "collector.example", #""tracker":{"appId":"shop"}"#, #""emitter":{"emitRange":500}"#))
        let difference = ConfigurationDifference(from: old, to: new)
        #expect(difference.decision == .apply)
        #expect(difference.added.map(\.namespace) == ["e"])
        #expect(difference.removed == ["b"])
        #expect(difference.kept == ["c"])
        #expect(difference.untouched == ["d"])
        #expect(difference.changed.map(\.namespace) == ["a"])
        let settings = try #require(difference.changed.first).settings
        #expect(settings.map(\.field) == ["tracker.appId", "emitter.emitRange"])
        // 500 is the built-in value: its layer differs, and nothing else.
        #expect(settings.map(\.isEffective) == [true, false])
        #expect(settings.map(\.new.source) == [.remote, .remote])
        #expect(settings.map(\.old.source) == [.builtIn, .builtIn])
        #expect(settings[0].new.value == "shop")
        #expect(settings[0].new.version == 2)
    }

    @Test("a field that is gone falls to the default; a tracker that only the default has is there before and after")
    func defaults() throws {
        let defaults = [
            ConfigurationBundle(namespace: "a", subject: EventSubject { $0.userID = "d" }),
            ConfigurationBundle(namespace: "z", network: NetworkConfiguration(endpoint: "z.example")),
        ]
        let old = try document(1, Text.bundle("a", at: "c.example", #""subject":{"userId":"x"}"#))
        let new = try document(2, Text.bundle("a", at: "c.example"))
        let difference = ConfigurationDifference(from: old, to: new, default: DefaultConfiguration(bundles: defaults))
        #expect(difference.untouched == ["z"])
        let setting = try #require(difference.changed.first?.settings.first)
        #expect(setting.field == "subject.userId")
        #expect(setting.old.value == "x")
        #expect(setting.new.value == "d")
        #expect(setting.new.source == .default)
    }

    @Test("a number that is written in another way is no difference")
    func spelling() throws {
        func more(_ number: String) -> String {
            """
            ,"features":{"f":{"variables":{"x":{"value":\(number)}},"rules":[{"id":"r","condition":{"n":\(number)},
            "values":{"x":{"y":\(number)}}}],"metadata":{"n":\(number)}}},
            "experiments":[{"id":"e","variants":[{"name":"only","values":{"f":{"z":[\(number)]}}}]}],"meta":{"n":\(number)}
            """
        }
        let old = try document(1, Text.bundle("a"), more: more("1"))
        let same = ConfigurationDifference(from: old, to: try document(2, Text.bundle("a"), more: more("1.0")))
        #expect(same.features.isEmpty && same.experiments.isEmpty && same.meta.isEmpty)
        let other = ConfigurationDifference(from: old, to: try document(2, Text.bundle("a"), more: more("1.5")))
        #expect(!other.features.isEmpty && !other.experiments.isEmpty && !other.meta.isEmpty)
    }

    @Test("a secret that differs is known to differ and is not shown")
    func secrets() throws {
        let old = try document(1, Text.bundle("a", at: "https://u:hush1@c.example"))
        let new = try document(2, Text.bundle("a", at: "https://u:hush2@c.example"))
        let difference = ConfigurationDifference(from: old, to: new)
        let setting = try #require(difference.changed.first?.settings.first)
        #expect(setting.field == "network.endpoint")
        #expect(setting.isEffective)
        #expect(setting.old.value == setting.new.value)
        #expect(!"\(difference)".contains("hush"))
        #expect(!"\(difference.changed)".contains("hush"))
    }

    @Test("versions decide whether the newer document is adopted, and whether the older one was in use")
    func decision() throws {
        let one = try document(1, Text.bundle("a"))
        let other = try document(1, Text.bundle("b"))
        let two = try document(2, Text.bundle("a"))
        #expect(ConfigurationDifference(from: one, to: one).decision == .unchanged(isOtherContent: false))
        #expect(ConfigurationDifference(from: one, to: other).decision == .unchanged(isOtherContent: true))
        #expect(ConfigurationDifference(from: two, to: one).decision == .stale(newest: 2))
        let late = ConfigurationDifference(from: one, to: two, defaultVersion: 1)
        #expect(!late.isOldInUse)
        #expect(late.decision == .apply)
        #expect(late.added.map(\.namespace) == ["a"])
        #expect(ConfigurationDifference(from: one, to: two, defaultVersion: 3).decision == .stale(newest: 3))
        // The order of documents decides; what differs is told all the same.
        #expect(ConfigurationDifference(from: two, to: other).added.map(\.namespace) == ["b"])
    }

    @Test("meta is compared member by member")
    func meta() throws {
        let old = try document(1, more: #","meta":{"same":[1],"gone":1,"other":{"a":1,"b":2}}"#)
        let new = try document(2, more: #","meta":{"come":null,"other":{"b":3,"a":1},"same":[1]}"#)
        let meta = ConfigurationDifference(from: old, to: new).meta
        #expect(meta.added == ["come": nil])
        #expect(meta.removed == ["gone": 1])
        #expect(meta.changed.map(\.name) == ["other"])
        let reordered = try document(2, more: #","meta":{"other":{"b":2,"a":1},"gone":1,"same":[1]}"#)
        #expect(ConfigurationDifference(from: old, to: reordered).meta.isEmpty)
    }

    @Test("features and their variables are compared, encrypted ones too")
    func features() throws {
        let old = try document(
            1,
            more: """
                ,"features":{"same":{"variables":{"a":{"value":1}}},"gone":{},"f":{"enabled":true,"variables":{
                "kept":{"value":[1]},"gone":{"value":1},"v":{"value":1},"t":{"value":1,"title":"x"},
                "n":{"value":1,"generatedName":"x"},
                "key":{"value":"hush1","encrypted":true}}}}
                """)
        let new = try document(
            2,
            more: """
                ,"features":{"come":{},"same":{"variables":{"a":{"value":1}}},"f":{"variables":{"come":{"value":0},
                "key":{"value":"hush2","encrypted":true},"v":{"value":2},"t":{"value":1,"title":"y"},
                "n":{"value":1,"generatedName":"y"},
                "kept":{"value":[1]}}}}
                """)
        let features = ConfigurationDifference(from: old, to: new).features
        #expect(features.added == ["come"])
        #expect(features.removed == ["gone"])
        #expect(features.changed.map(\.name) == ["f"])
        let feature = try #require(features.changed.first)
        #expect(feature.wasEnabled == true)
        #expect(feature.isEnabled == nil)
        #expect(feature.added.map(\.name) == ["come"])
        #expect(feature.removed.map(\.name) == ["gone"])
        #expect(feature.changed.map(\.new.name) == ["key", "v", "t", "n"])
    }

    @Test("experiments are compared key by key, and the rollout is")
    func experiments() throws {
        let old = try document(
            1,
            more: """
                ,"experiments":[{"id":"same","variants":[{"name":"a"}]},{"id":"gone","variants":[{"name":"a"}]},
                {"id":"e","countries":["US"],"variants":[{"name":"a","weight":1},{"name":"b","weight":1}]}],
                "rollout":{"percent":10}
                """)
        let new = try document(
            2,
            more: """
                ,"experiments":[{"id":"e","sticky":true,"variants":[{"name":"a","weight":1},{"name":"b","weight":3,
                "values":{"f":{"v":1}}}]},{"id":"same","seed":"same","variants":[{"name":"a"}]},
                {"id":"come","variants":[{"name":"a"}]}],"rollout":{"percent":50,"seed":"s"}
                """)
        let difference = ConfigurationDifference(from: old, to: new)
        #expect(difference.experiments.added == ["come"])
        #expect(difference.experiments.removed == ["gone"])
        #expect(difference.experiments.changed.map(\.id) == ["e"])
        let experiment = try #require(difference.experiments.changed.first)
        #expect(experiment.members.added == ["variants.b.values.f": ["v": 1]])
        #expect(experiment.members.removed == ["countries": ["US"]])
        #expect(experiment.members.changed.map(\.name) == ["sticky", "variants.b.weight"])
        #expect(experiment.moves.share == 0.25)
        #expect(experiment.moves.isAudienceOther)
        #expect(difference.percent == 50)
        #expect(difference.rollout.changed.map(\.name) == ["percent"])
        #expect(difference.rollout.added == ["seed": "s"])
    }
}
