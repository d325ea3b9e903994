import TestSupport
import Testing
import TrackerCore

@Suite("SchemaRuleSet", .endsWhenItHangs)
struct SchemaRuleSetTests {
    @Test(
        "a rule set denies before it allows, and * stands for exactly one part of a vendor",
        arguments: [
            ("iglu:com.acme.shop/order/jsonschema/1-0-0", true), ("iglu:com.acme/order/jsonschema/1-2-3", false),
            ("iglu:com.acme.shop.eu/x/jsonschema/1-0-9", false), ("iglu:com.acme.secret/order/jsonschema/1-0-0", false),
            ("iglu:com.acme.shop/order/jsonschema/2-0-0", false), ("iglu:org.acme.shop/order/jsonschema/1-0-0", false),
            ("nonsense", false), ("iglu:com.acme.shop/order/jsonschema/1-0", false),
        ])
    func matchesRules(schema: String, isChosen: Bool) throws {
        let rules = try SchemaRuleSet(
            allowed: ["iglu:com.acme.*/*/jsonschema/1-*-*"], denied: ["iglu:com.acme.secret/*/jsonschema/*-*-*"])
        #expect(rules.matches(schema) == isChosen)
    }

    @Test(
        "a final ** stands for one part of a vendor or more",
        arguments: [
            ("com.acme.**", "com.acme", false), ("com.acme.**", "com.acme.shop", true),
            ("com.acme.**", "com.acme.shop.eu.north", true), ("com.acme.**", "com.acmeshop.eu", false),
            ("com.acme.*.**", "com.acme.shop", false), ("com.acme.*.**", "com.acme.shop.eu", true),
            ("com.acme.*.*", "com.acme.shop.eu", true), ("com.acme.*.*", "com.acme.shop.eu.north", false),
        ])
    func matchesVendors(rule: String, vendor: String, isChosen: Bool) throws {
        let rules = try SchemaRuleSet(allowed: ["iglu:\(rule)/*/jsonschema/*-*-*"])
        #expect(rules.matches("iglu:\(vendor)/order/jsonschema/1-0-0") == isChosen)
    }

    @Test("denials alone choose all other schemas")
    func deniesOnly() throws {
        let rules = try SchemaRuleSet(denied: ["iglu:com.acme.**/*/jsonschema/*-*-*"])
        #expect(!rules.matches("iglu:com.acme.shop/order/jsonschema/1-0-0"))
        #expect(rules.matches("iglu:com.acme/order/jsonschema/1-0-0"))
        #expect(rules.matches("iglu:org.other/order/jsonschema/1-0-0"))
        #expect(!rules.matches("nonsense"))
    }

    @Test("without rules every schema is chosen, and an empty list of allowed schemas chooses none")
    func handlesEmptyLists() throws {
        let schema = "iglu:com.acme/order/jsonschema/1-0-0"
        #expect(try SchemaRuleSet().matches(schema))
        #expect(try !SchemaRuleSet(allowed: []).matches(schema))
    }

    @Test(
        "a rule that is not well formed is refused with its text and place",
        arguments: [
            "com.acme/order/jsonschema/1-0-0", "iglu:com.*/x/jsonschema/1-0-0", "iglu:*/x/jsonschema/1-0-0",
            "iglu:com.**/x/jsonschema/1-0-0", "iglu:**/x/jsonschema/1-0-0", "iglu:com.acme.**.*/x/jsonschema/1-0-0",
            "iglu:com.acme.***/x/jsonschema/1-0-0", "iglu:com.acme.sh*p/x/jsonschema/1-0-0",
            "iglu:com.acme.*.shop/x/jsonschema/1-0-0", "iglu:com.acme/x/avro/1-0-0", "iglu:com.acme/x/jsonschema/1-0-a",
            "iglu:com.acme.x/foo*/jsonschema/1-0-0", "iglu:com.acme.x/**/jsonschema/1-0-0",
        ])
    func refusesRules(text: String) {
        let good = "iglu:com.acme/x/jsonschema/1-0-0"
        let allowed = #expect(throws: ConfigurationError.self) { try SchemaRuleSet(allowed: [good, text]) }
        #expect(allowed?.place == "allowed[1]")
        #expect(allowed?.reason.contains(text) == true)
        let denied = #expect(throws: ConfigurationError.self) { try SchemaRuleSet(denied: [text]) }
        #expect(denied?.place == "denied[0]")
    }
}
