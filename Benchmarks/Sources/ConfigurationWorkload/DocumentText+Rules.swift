extension DocumentText {
    private static let rulesPerFeature = 4

    /// One tracker, features of four rules each, experiments with conditions, and variables for the rest of the size.
    ///
    /// Of a feature's rules one asks for a plan and a country, one for a version and an email address, one for another
    /// feature, and one is a ramp.
    /// - Parameters:
    ///   - version: The document's version; the ramps of all features differ between versions.
    ///   - rules: How many rules.
    ///   - experiments: How many experiments, at most half as many as rules.
    ///   - bytes: The least size.
    /// - Returns: The document.
    package static func rules(version: Int, rules: Int, experiments: Int, bytes: Int) -> [UInt8] {
        let count = rules / rulesPerFeature
        let ruled = (0..<count).map { self.rules($0, version: version) }
        let experiments = (0..<experiments).map { targeted($0, of: count) }
        let size = (ruled + experiments).reduce(0) { $0 + $1.utf8.count + 4 }
        var texts = ruled.map { [$0] }
        var (rest, number) = (bytes - size, 0)
        while rest > 0 {
            let variable = """
                "text_\(number / count)":{"value":"Free delivery until Sunday, number \(number)","group":"Storefront"}
                """
            texts[number % count].append(variable)
            rest -= variable.utf8.count + 1
            number += 1
        }
        let features = texts.enumerated().map { number, parts in
            """
            "feature_\(number)":{"enabled":false,\(parts[0]),"variables":{"limit":{"value":1},\
            "choice_0":{"value":1},"choice_1":{"value":1},"color":{"value":"red"}\(parts.dropFirst().map { ",\($0)" }.joined())}}
            """
        }
        return document(
            version, [bundle(0, appID: "shop")],
            more: ",\n\"segments\":{\"staff\":[\((0..<100).map { "\"u-\($0)\"" }.joined(separator: ","))]},"
                + "\n\"features\":{\(joined(features))},\n\"experiments\":[\(joined(experiments))]")
    }

    private static func rules(_ number: Int, version: Int) -> String {
        // Feature n asks for feature n / 2, so that few wait for each other.
        let asked = number == 0 ? "" : "\"prerequisites\":[{\"feature\":\"feature_\(number / 2)\"}],"
        return """
            "rules":[{"id":"pro","condition":{"plan":"pro","country":{"$in":["US","CA","GB"]}},"enabled":true,\
            "values":{"limit":\(number % 50),"color":"blue"}},\
            {"id":"new","condition":{"$or":[{"version":{"$vgte":"2.\(number % 10).0"}},\
            {"email":{"$regex":"@(staff|partner)\\\\.example\\\\.com$"}},{"userId":{"$inGroup":"staff"}}]},"enabled":true},\
            {"id":"after",\(asked)"values":{"limit":\(number % 7)}},\
            {"id":"ramp","coverage":0.\(version % 90 + 10),"unit":"userId","enabled":true,"values":{"color":"green"}}]
            """
    }

    private static func targeted(_ number: Int, of features: Int) -> String {
        // Each decides another variable.
        let (feature, variable) = (number % features, "choice_\(number / features)")
        return """
            {"id":"experiment_\(number)","sticky":\(!number.isMultiple(of: 2)),"unit":"userId",\
            "condition":{"plan":{"$ne":"free"},"country":{"$nin":["DE"]}},"namespace":["checkout",0,0.5],\
            "variants":[{"name":"control","weight":50,"values":{"feature_\(feature)":{"\(variable)":11}}},\
            {"name":"fast","weight":50,"values":{"feature_\(feature)":{"\(variable)":12}}}]}
            """
    }
}
