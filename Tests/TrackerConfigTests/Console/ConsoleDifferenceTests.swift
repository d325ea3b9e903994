import TestSupport
import Testing
import TrackerConfig
import TrackerConsole
import TrackerCore

/// What a console shows of the document before.
@Suite("Console: difference", .endsWhenItHangs)
struct ConsoleDifferenceTests {
    private let shop = FeatureService()

    /// The change of the variable x: "1 → 2".
    private static func change(_ difference: JSONObject) -> String? {
        let texts = difference["lines"]?.array?.compactMap { $0["text"]?.string } ?? []
        return texts.first { $0.hasPrefix(#"variable "x": "#) }.map { String($0.dropFirst(14)) }
    }

    @Test("compares the document in use with the one before it, and the first one with the default")
    func difference() async throws {
        let (setup, browser) = try await shop.browse(default: #"{"f":{"variables":{"x":{"value":1}}}}"#)
        #expect(await browser.get("difference")["isKnown"] == false)
        shop.publish(2, #"{"f":{"variables":{"x":{"value":2}}}}"#)
        await setup.refresh()
        var difference = await browser.get("difference")
        #expect(difference["isKnown"] == true)
        #expect(Self.change(difference) == "1 → 2")
        shop.publish(3, #"{"f":{"variables":{"x":{"value":3}}},"g":{"enabled":true}}"#)
        await setup.refresh()
        await setup.refresh()
        difference = await browser.get("difference")
        #expect((difference["oldVersion"], difference["newVersion"]) == (2, 3))
        #expect(Self.change(difference) == "2 → 3")
        #expect(difference["lines"]?.array?.contains(["indent": 1, "mark": "+", "text": #""g""#]) == true)
        await setup.shutdown(timeout: .zero)
    }

    @Test("compares any two of the documents that the service keeps")
    func choice() async throws {
        func publish(_ version: Int) { shop.publish(version, #"{"f":{"variables":{"x":{"value":\#(version)}}}}"#) }
        publish(2)
        let (setup, browser) = try await shop.browse(default: #"{"f":{"variables":{"x":{"value":1}}}}"#)
        publish(3)
        await setup.refresh()
        func change(_ query: String) async -> String? { Self.change(await browser.get("difference?\(query)")) }
        let kept = await browser.get("difference")["versions"]?.array ?? []
        #expect(kept.compactMap { $0.at("id").string } == ["current", "previous", "default"])
        #expect(kept.compactMap { $0.at("version").int }.prefix(2) == [3, 2])
        #expect(await change("") == "2 → 3")
        #expect(await change("from=default&to=current") == "1 → 3")
        #expect(await change("from=default&to=previous") == "1 → 2")
        #expect(await change("from=current&to=previous") == "3 → 2")
        #expect(await browser.get("difference?from=stored-1")["isKnown"] == false)
        // The default has no document, so it cannot follow another one.
        #expect(await browser.get("difference?to=default")["isKnown"] == false)
        await setup.shutdown(timeout: .zero)
    }

    @Test("says that a stored document cannot be read")
    func unreadable() async throws {
        let setup = try await shop.start()
        try shop.service.cache("{")
        let warnings = await ConsoleBrowser(setup).get("difference")["warnings"]?.array ?? []
        #expect(warnings.count == 1)
        let start = "the stored document of version 99 cannot be read: "
        #expect(warnings.first?.string?.hasPrefix(start) == true)
        await setup.shutdown(timeout: .zero)
    }

    @Test("shows no secret, neither of a variant nor of a variable that was in the clear before")
    func secrets() async throws {
        func publish(_ version: Int, _ key: String, _ variant: String) {
            shop.publish(
                version, #"{"f":{"variables":{"key":\#(key),"x":{"value":\#(version)}}}}"#,
                experiments:
                    #"[{"id":"e","variants":[{"name":"a","values":{"f":{"key":"\#(variant)","x":\#(version)}}}]}]"#)
        }
        publish(1, #"{"value":"SECRET-clear"}"#, "SECRET-variant-1")
        let (setup, browser) = try await shop.browse()
        publish(2, #"{"value":"SECRET-cipher","encrypted":true}"#, "SECRET-variant-2")
        await setup.refresh()
        var answer = await browser.send("GET", "difference")
        #expect(!answer.text.contains("SECRET"))
        for line in [#"variable \"key\": "#, "variants.a.values.f.key: "] {
            #expect(answer.text.contains(line + "the secret differs"))
        }
        #expect(answer.text.contains("variants.a.values.f.x: 1 → 2"))
        // A change within the secret alone is one too.
        publish(2, #"{"value":"SECRET-cipher","encrypted":true}"#, "SECRET-variant-3")
        publish(3, #"{"value":"SECRET-other","encrypted":true}"#, "SECRET-variant-3")
        await setup.refresh()
        answer = await browser.send("GET", "difference")
        #expect(!answer.text.contains("SECRET"))
        #expect(answer.text.contains(#"variable \"key\": the secret differs"#))
        await setup.shutdown(timeout: .zero)
    }
}
