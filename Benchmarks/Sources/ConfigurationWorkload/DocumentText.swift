/// Documents as services have them, in any size.
package enum DocumentText {
    /// Trackers, features, experiments and meta, half of the bytes features.
    /// - Parameters:
    ///   - version: The document's version; every tracker's settings differ between versions.
    ///   - bytes: The least size; the document is some hundred bytes larger.
    /// - Returns: The document.
    package static func mixed(version: Int, bytes: Int) -> [UInt8] {
        var (bundles, features, experiments, meta): ([String], [String], [String], [String]) = ([], [], [], [])
        var size = 0
        var number = 0
        func add(_ text: String, to list: inout [String]) {
            list.append(text)
            size += text.utf8.count + 4
        }
        while size < bytes {
            add(feature(number), to: &features)
            add(metaEntry(number), to: &meta)
            if number.isMultiple(of: 2) { add(experiment(number), to: &experiments) }
            if number.isMultiple(of: 5) { add(bundle(number / 5, appID: "shop-\(version)"), to: &bundles) }
            number += 1
        }
        return document(
            version, bundles,
            more: ",\n\"meta\":{\(joined(meta))},\n\"features\":{\(joined(features))},"
                + "\n\"experiments\":[\(joined(experiments))]")
    }

    /// Trackers only.
    /// - Parameters:
    ///   - version: The document's version.
    ///   - count: How many trackers.
    ///   - changing: How many of them, the first ones, have other settings in each version.
    /// - Returns: The document.
    package static func namespaces(version: Int, count: Int, changing: Int) -> [UInt8] {
        document(version, (0..<count).map { bundle($0, appID: $0 < changing ? "shop-\(version)" : "shop") })
    }

    /// Trackers only, all of which differ between versions.
    package static func namespaces(version: Int, bytes: Int) -> [UInt8] {
        let size = bundle(1000, appID: "shop-\(version)").utf8.count + 4
        let count = (bytes + size - 1) / size
        return namespaces(version: version, count: count, changing: count)
    }

    static func document(_ version: Int, _ bundles: [String], more: String = "") -> [UInt8] {
        Array(
            """
            {"$schema":"http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion":\(version),
            "configurationBundle":[\(joined(bundles))]\(more)}

            """.utf8)
    }

    static func joined(_ parts: [String]) -> String { "\n  " + parts.joined(separator: ",\n  ") }

    static func bundle(_ number: Int, appID: String) -> String {
        """
        {"namespace":"service-\(number)",\
        "networkConfiguration":{"endpoint":"https://collector-\(number % 7).example.com","method":"post"},\
        "trackerConfiguration":{"appId":"\(appID)","devicePlatform":"srv","base64encoding":false,"logLevel":"off",\
        "sessionContext":true,"applicationContext":false,"userAnonymisation":false},\
        "sessionConfiguration":{"foregroundTimeout":1800,"backgroundTimeout":1800},\
        "emitterConfiguration":{"bufferOption":"LargeGroup","emitRange":250,"customRetryForStatusCodes":{"403":false}}}
        """
    }

    private static func feature(_ number: Int) -> String {
        """
        "feature_\(number)":{"enabled":\(number.isMultiple(of: 3)),"variables":{\
        "retryLimit":{"value":\(number % 9),"title":"Retries","description":"How often a payment is tried again before \
        the customer is asked for another card","group":"Payments"},\
        "threshold":{"value":0.\(number % 90 + 10),"title":"Threshold"},\
        "banner":{"value":"Free delivery from 49\\u00a0€ – only until Sunday","title":"Banner","group":"Storefront"},\
        "limits":{"value":{"perMinute":\(number),"burst":[1,2,5],"tiers":{"gold":3,"silver":2}}}}}
        """
    }

    private static func experiment(_ number: Int) -> String {
        """
        {"id":"experiment_\(number)","unit":"userId","seed":"s-\(number)","coverage":0.8,"sticky":true,\
        "countries":["DE","AT","CH"],"variants":[{"name":"control","weight":50},\
        {"name":"fast","weight":25,"values":{"feature_\(number)":{"retryLimit":5,"threshold":0.25}}},\
        {"name":"slow","weight":25,"values":{"feature_\(number)":{"banner":"Hello","limits":{"perMinute":9}}}}]}
        """
    }

    private static func metaEntry(_ number: Int) -> String {
        """
        "team-\(number)":{"owner":"growth","contact":"growth-\(number)@example.com","pager":[\(number),17,true],\
        "budget":\(number).5,"notes":null}
        """
    }
}
