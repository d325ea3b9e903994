import DocumentImport
import DocumentTools
import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures

@Suite("A file of RolloutManager", .endsWhenItHangs)
struct RolloutManagerImportTests {
    private static let dictionary = """
        <dict>
          <key>checkout_01</key>
          <dict>
            <key>Settings</key>
            <dict>
              <key>is_sticky</key><true/>
              <key>supported_countries</key><string>US, IL</string>
              <key>supported_languages</key><string>en,he</string>
            </dict>
            <key>Variants</key>
            <dict><key>fast</key><real>0.3</real><key>control</key><integer>1</integer></dict>
          </dict>
        </dict>
        """

    private static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">\(dictionary)</plist>
        """

    /// What is told once of the names of variants, here of `checkout_01`.
    private static let names =
        ": RolloutManager names this variant 'checkout_01_control', with the id of its experiment; its name is 'control' here"

    private static let expected = Experiment(
        id: "checkout_01", seed: "checkout_01", isSticky: true, countries: ["US", "IL"],
        languages: ["en", "he"],
        variants: [ExperimentVariant(name: "control", weight: 1), ExperimentVariant(name: "fast", weight: 0.3)])

    private static func imported(_ file: String) throws -> Imported {
        try Imported(file, from: .rolloutManager)
    }

    /// An experiment `e`, and what was told about it, next to a good one.
    private static func experiment(_ parts: String) throws -> (Experiment?, [String]) {
        let imported = try imported(#"{"e":{\#(parts)},"good":{"Variants":{"a":1}}}"#)
        #expect(
            imported.document.warnings.filter { !$0.place.contains(".countries") && !$0.place.contains(".languages") }
                .isEmpty)
        #expect(imported.document.experiments.last?.id == "good")
        let notes = imported.notes.filter { !$0.hasPrefix(": RolloutManager names this variant ") }
        #expect(notes.count == imported.notes.count - 1)
        return (imported.document.experiments.first { $0.id == "e" }, notes)
    }

    @Test("experiments keep stickiness, filters and weights; 'US, IL' is two countries")
    func json() throws {
        let imported = try Self.imported(
            """
            {"checkout_01": {
              "Settings": {"is_sticky": true, "supported_countries": "US, IL", "supported_languages": "en,he"},
              "Variants": {"fast": 0.3, "control": 1}}}
            """)
        #expect(imported.document.experiments == [Self.expected])
        #expect(imported.document.warnings == [])
        #expect(imported.notes == [Self.names])
        #expect(imported.text.contains(#""seed": "checkout_01""#) && imported.text.contains(#""hashVersion": 2"#))
    }

    @Test("a property list gives the same", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let list = try PropertyListSerialization.propertyList(from: Data(Self.propertyList.utf8), format: nil)
        let file = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let imported = try Imported(Array(file), from: .rolloutManager)
        #expect(imported.document.experiments == [Self.expected])
        #expect(imported.notes == [Self.names])
        #expect(try Self.imported(Self.propertyList).text == imported.text)
    }

    @Test("in a property list the numbers 0 and 1 are booleans where those stand, and weights are no booleans")
    func numbers() throws {
        let list = """
            <plist version="1.0"><dict>
              <key>a</key><dict><key>Settings</key><dict><key>is_sticky</key><integer>1</integer></dict>
                <key>Variants</key><dict><key>v</key><integer>1</integer></dict></dict>
              <key>b</key><dict><key>Variants</key><dict><key>v</key><true/></dict></dict>
              <key>c</key><dict><key>Variants</key><dict><key>v</key><real>nan</real></dict></dict>
              <key>d</key><dict><key>Variants</key><dict><key>v</key><date>2020-01-01T00:00:00Z</date></dict></dict>
              <key>e</key><dict><key>Since</key><date>2020-01-01T00:00:00Z</date>
                <key>Variants</key><dict><key>v</key><integer>2</integer></dict></dict>
            </dict></plist>
            """
        let imported = try Self.imported(list)
        #expect(imported.document.experiments.map(\.id) == ["a", "e"])
        #expect(imported.document.experiments[0].isSticky)
        #expect(
            imported.sentences == [
                "RolloutManager names this variant 'a_v', with the id of its experiment; its name is 'v' here",
                "b.Variants.v: expected a number, found a boolean; the experiment is left out",
                "c.Variants.v: expected 0 or more, found nan; the experiment is left out",
                "d.Variants.v: expected a number, found a string; the experiment is left out",
                "e.Since: not carried over",
            ])
    }

    @Test("experiments stand by their ids and variants by their names, as a dictionary has no order")
    func order() throws {
        let imported = try Self.imported(
            #"{"b":{"Variants":{"z":1,"y":2,"x":0}},"a":{"Variants":{"v":1}},"c":{"Variants":{"v":1}}}"#)
        #expect(imported.document.experiments.map(\.id) == ["a", "b", "c"])
        #expect(imported.document.experiments[1].variants.map(\.name) == ["x", "y", "z"])
        #expect(imported.document.experiments[1].variants.map(\.weight) == [0, 2, 1])
    }

    @Test(
        "weights that cannot be used leave an experiment out",
        arguments: [
            (#"{"a":1,"b":-1}"#, "e.Variants.b: expected 0 or more, found -1.0"),
            (#"{"a":0,"b":0.0}"#, "e.Variants: all weights are zero"), ("{}", "e.Variants: no variants"),
            (#"{"a":"-50"}"#, "e.Variants.a: expected a number, found a string"),
            (#"{"a":true}"#, "e.Variants.a: expected a number, found a boolean"),
            (#"{"a":null}"#, "e.Variants.a: expected a number, found null"),
            (#"["a"]"#, "e.Variants: expected an object, found a list"),
        ])
    func weights(variants: String, sentence: String) throws {
        let (experiment, notes) = try Self.experiment(#""Variants":\#(variants)"#)
        #expect(experiment == nil)
        #expect(notes == ["\(sentence); the experiment is left out"])
    }

    @Test("weights and booleans that are texts are read, and told")
    func texts() throws {
        let (experiment, notes) = try Self.experiment(#""Settings":{"is_sticky":"YES"},"Variants":{"a":"70","b":30}"#)
        #expect(experiment?.isSticky == true)
        #expect(experiment?.variants.map(\.weight) == [70, 30])
        #expect(
            notes == ["e.Settings.is_sticky: 'YES' is read as true", "e.Variants.a: the string '70' is read as 70"])
        let (loose, told) = try Self.experiment(#""Settings":{"is_sticky":"no"},"Variants":{"a":1}"#)
        #expect(loose?.isSticky == false && told == ["e.Settings.is_sticky: 'no' is read as false"])
    }

    @Test(
        "blanks in a filter are ignored, and a filter of nothing leaves all units out",
        arguments: [
            (" US ,\\t IL\\n", ["US", "IL"]), ("US,,IL,", ["US", "IL"]), ("", []), (" , ", []),
        ])
    func filters(text: String, words: [String]) throws {
        for (key, what) in [("supported_countries", "countries"), ("supported_languages", "languages")] {
            let (experiment, notes) = try Self.experiment(#""Settings":{"\#(key)":"\#(text)"},"Variants":{"a":1}"#)
            #expect((what == "countries" ? experiment?.countries : experiment?.languages) == words)
            #expect((what == "countries" ? experiment?.languages : experiment?.countries) == nil)
            let note = "e.Settings.\(key): no \(what), so no unit takes part; remove the key to include all units"
            #expect(notes == (words.isEmpty ? [note] : []))
        }
    }

    @Test("a filter that cannot be read leaves the experiment out, as it would reach everybody")
    func unreadableFilter() throws {
        let (experiment, notes) = try Self.experiment(#""Settings":{"supported_countries":["US"]},"Variants":{"a":1}"#)
        #expect(experiment == nil)
        #expect(
            notes == ["e.Settings.supported_countries: expected a string, found a list; the experiment is left out"])
    }

    @Test("what has no place in a document is told")
    func notes() throws {
        let (experiment, notes) = try Self.experiment(
            #""Settings":{"is_sticky":"maybe","owner":"x","supported_languages":null},"Variants":{"a":1},"Notes":"n""#)
        #expect(experiment?.isSticky == false && experiment?.languages == nil)
        #expect(
            notes == [
                "e.Settings.is_sticky: expected a boolean, found a string; not carried over",
                "e.Settings.owner: not carried over", "e.Notes: not carried over",
            ])
        #expect(try Self.experiment(#""Settings":{}"#).1 == ["e: an experiment without Variants is left out"])
    }

    @Test(
        "another shape is a fault with its place",
        arguments: [
            (#"{"e":1}"#, "no experiment has Variants, so this is not a file of RolloutManager (line 1, column 1)"),
            (
                #"{"a":{"x":{"Value":1}}}"#,
                "no experiment has Variants, so this is not a file of RolloutManager (line 1, column 1)"
            ),
            ("bplist00", "expected an object, found a string"),
            ("<html/>", "not a property list: Encountered unknown tag html/ on line 1"),
        ])
    func shape(file: String, sentence: String) throws {
        let fault = try #require(throws: ConfigurationError.self) { try Self.imported(file) }
        #expect(fault.description == sentence)
    }

    @Test("what a property list has and no document can is a fault")
    func endlessMarks() throws {
        let id = "e" + String(repeating: "\u{301}", count: 200)
        let list = "<key>\(id)</key><dict><key>Variants</key><dict><key>v</key><integer>1</integer></dict></dict>"
        let file = "<plist><dict>\(list)</dict></plist>"
        let fault = try #require(throws: ConfigurationError.self) { try Self.imported(file) }
        #expect(fault.place == "experiments[0].id")
        #expect(fault.reason == "a document cannot contain this: more than 128 combining characters in a row")
    }
}
