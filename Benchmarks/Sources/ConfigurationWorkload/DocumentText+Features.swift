extension DocumentText {
    /// The variables of each feature of ``features(version:features:experiments:)``.
    package static let variablesPerFeature = 10

    /// One tracker, features of ten variables each, and experiments.
    ///
    /// Experiment n overrides `retryLimit` of feature n. Odd ones are sticky; of those that are not, every other one asks
    /// for the country and the language.
    /// - Parameters:
    ///   - version: The document's version; two variables of each feature differ between versions.
    ///   - features: How many features.
    ///   - experiments: How many experiments, at most as many as features.
    /// - Returns: The document.
    package static func features(version: Int, features: Int, experiments: Int) -> [UInt8] {
        let features = (0..<features).map { settings($0, version: version) }
        let experiments = (0..<experiments).map(split)
        return document(
            version, [bundle(0, appID: "shop")],
            more: ",\n\"features\":{\(joined(features))},\n\"experiments\":[\(joined(experiments))]")
    }

    private static func settings(_ number: Int, version: Int) -> String {
        """
        "feature_\(number)":{"enabled":true,"variables":{\
        "isEnabled":{"value":true,"title":"Enabled"},\
        "isVisible":{"value":\(number.isMultiple(of: 2))},\
        "retryLimit":{"value":\(number % 9),"title":"Retries","group":"Payments"},\
        "timeoutSeconds":{"value":\(version % 100)},\
        "batchSize":{"value":250},\
        "threshold":{"value":0.\(number % 90 + 10)},\
        "banner":{"value":"Free delivery until Sunday","title":"Banner","group":"Storefront"},\
        "endpoint":{"value":"https://search-\(version).example.com/v1"},\
        "countries":{"value":["DE","AT","CH"]},\
        "limits":{"value":{"perMinute":\(number),"tiers":{"gold":3,"silver":2}}}}}
        """
    }

    private static func split(_ number: Int) -> String {
        let audience = number.isMultiple(of: 4) ? "\"countries\":[\"DE\",\"AT\"],\"languages\":[\"de\",\"en\"]," : ""
        return """
            {"id":"experiment_\(number)","sticky":\(!number.isMultiple(of: 2)),\(audience)\
            "variants":[{"name":"control","weight":50,"values":{"feature_\(number)":{"retryLimit":11}}},\
            {"name":"fast","weight":50,"values":{"feature_\(number)":{"retryLimit":12}}}]}
            """
    }
}
