import DocumentTools
import TestSupport
import Testing
import TrackerConfig
import TrackerCore

/// What a document changes in rules, segments and the newer keys of experiments.
@Suite("What differs between the rules of two documents", .endsWhenItHangs)
struct RuleDifferenceTests {
    private func difference(_ old: String, _ new: String) throws -> ConfigurationDifference {
        func document(_ version: Int, _ parts: String) throws -> Document {
            try Document(Array(DocumentText.document(version, more: ",\(parts)").utf8))
        }
        return try ConfigurationDifference(from: document(1, old), to: document(2, new))
    }

    private func feature(_ old: String, _ new: String) throws -> FeatureDifference {
        func features(_ rules: String) -> String {
            """
            "features":{"f":{"variables":{"v":{"value":1},"key":{"value":"hush-0","encrypted":true}},"rules":[\(rules)]}}
            """
        }
        return try #require(difference(features(old), features(new)).features.changed.first)
    }

    @Test("rules come, go, change and are tried in another order")
    func rules() throws {
        let found = try feature(
            #"{"id":"a","enabled":true},{"id":"b","coverage":0.2,"values":{"v":2}},{"id":"c","enabled":false}"#,
            #"{"id":"c","enabled":false},{"id":"d","condition":{"p":1},"enabled":true},"#
                + #"{"id":"b","coverage":0.5,"values":{"v":3,"w":1}}"#)
        let rules = found.rules
        #expect(rules.added.map(\.json) == [["id": "d", "condition": ["p": 1], "enabled": true]])
        #expect(rules.removed.map(\.json) == [["id": "a", "enabled": true]])
        let change = try #require(rules.changed.first)
        #expect(change.id == "b" && rules.changed.count == 1)
        #expect(change.members.changed.map(\.name) == ["coverage", "values.v"])
        #expect(change.members.changed.map(\.new) == [0.5, 3])
        #expect(change.members.added == ["values.w": 1])
        #expect(rules.moved.count == 1 && rules.order == ["c", "d", "b"])
        #expect(found.changed.isEmpty && found.added.isEmpty)
    }

    @Test("a rule becomes unusable, and rules with one id are told apart")
    func unusable() throws {
        let found = try feature(
            #"{"id":"a","range":[0.1,0.3],"enabled":true},{"id":"a","enabled":false}"#,
            #"{"id":"a","range":[0.1,0.3],"enabled":true,"if":1},{"id":"a","enabled":true}"#)
        #expect(found.rules.changed.map(\.id) == ["a", "a (2)"])
        #expect(found.rules.changed[0].members.added == ["usable": false])
        #expect(found.rules.moved.isEmpty)
        #expect(found.moves?.share == 0.8)
    }

    @Test("a secret of a rule is not shown")
    func secrets() throws {
        let found = try feature(#"{"id":"a","values":{"key":"hush-1"}}"#, #"{"id":"a","values":{"key":"hush-2"}}"#)
        let member = try #require(found.rules.changed.first?.members.changed.first)
        #expect((member.name, member.old, member.new) == ("values.key", "…", "…"))
        let added = try feature("", #"{"id":"a","values":{"key":"hush-1"}}"#)
        #expect(!"\(added.rules)".contains("hush"))
    }

    @Test("segments are compared by their members")
    func segments() throws {
        let found = try difference(
            #""segments":{"same":["a","b"],"beta":["a","b",3],"gone":[]}"#,
            #""segments":{"come":[1],"same":["b","a"],"beta":["b","c","d"]}"#
        ).segments
        #expect((found.added, found.removed) == (["come"], ["gone"]))
        let beta = try #require(found.changed.first)
        #expect(found.changed.count == 1)
        #expect((beta.name, beta.added, beta.removed, beta.count) == ("beta", 2, 2, 3))
    }

    @Test("an experiment that is disabled, blocked or forced moves the units that have its variants")
    func experiments() throws {
        func experiment(_ members: String) throws -> ExperimentDifference {
            let variants = #""variants":[{"name":"a","weight":3},{"name":"b","weight":1}]"#
            return try #require(
                difference(
                    #""experiments":[{"id":"e",\#(variants)}]"#, #""experiments":[{"id":"e",\#(members),\#(variants)}]"#
                ).experiments.changed.first)
        }
        let disabled = try experiment(#""enabled":false"#)
        #expect((disabled.moves.share, disabled.disabling) == (1, .disabled))
        #expect(disabled.members.added == ["enabled": false])
        let unusable = try experiment(#""if":1"#)
        #expect((unusable.moves.share, unusable.disabling) == (1, .unusable))
        #expect(try experiment(#""force":"a""#).moves.share == 0.25)
        #expect(try experiment(#""ranges":[[0,0.5],[0.5,1]]"#).moves.share == 0.25)
        let targeted = try experiment(#""namespace":["n",0,0.5]"#)
        #expect(targeted.isTargetingOther && targeted.moves.share == 0)
        #expect(targeted.members.added.members.map(\.name) == ["filters"])
        let versioned = try experiment(#""sticky":true,"bucketVersion":2,"minBucketVersion":1"#)
        #expect(versioned.members.added == ["bucketVersion": 2, "minBucketVersion": 1])
        #expect(!versioned.isDrawnAnew)
    }

    @Test(
        "a sticky experiment that is disabled or unusable keeps what is stored, and uses it again later",
        arguments: [#","enabled":false"#, #","if":1"#])
    func disabledSticky(member: String) throws {
        let (on, off) = ("", member)
        func moves(_ old: String, _ new: String) throws -> UnitMoves {
            func experiments(_ more: String) -> String {
                #""experiments":[{"id":"e","sticky":true,"variants":[{"name":"a"},{"name":"b"}]\#(more)}]"#
            }
            return try #require(difference(experiments(old), experiments(new)).experiments.changed.first).moves
        }
        let disabled = try moves(on, off)
        #expect((disabled.share, disabled.stickiness, disabled.keepsAssigned) == (1, .unused, false))
        let enabled = try moves(off, on)
        #expect((enabled.share, enabled.stickiness, enabled.keepsAssigned) == (1, .kept, true))
    }
}
