/// The documents of ``LivingShop``, one version after the other.
enum ShopDocument {
    /// A version; every fourth is wrong, as happens.
    static func text(_ version: Int, collector: String) -> String {
        let isWrong = version % 4 == 0
        let isLate = version % 4 == 3
        return """
            {
              "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
              "configurationVersion": \(version),
              "meta": { "owner": "growth", "ticket": "SHOP-\(100 + version)" },
              "configurationBundle": [
                { "namespace": "checkout",
                  "networkConfiguration": { "endpoint": \(isWrong ? "42" : "\"\(collector)\"") },
                  "subjectConfiguration": { "userId": "anonymous" },
                  "emitterConfiguration": { "bufferOption": "LargeGroup" } },
                { "namespace": "search",
                  "networkConfiguration": { "endpoint": "\(collector)" },
                  "trackerConfiguration": { "appId": "shop-\(version)" } }\(isLate ? payments(collector) : "")
              ],
              "features": \(features(version)),
              "experiments": [
                { "id": "checkout_01", "sticky": true, "countries": ["US", "DE"],
                  "variants": [
                    { "name": "control", "weight": \(isLate ? 50 : 70) },
                    { "name": "fast", "weight": \(isLate ? 50 : 30), "values": { "checkout": { "retryLimit": 8 } } } ] }
              ]
            }
            """
    }

    /// What the service ships with.
    static func `default`(collector: String) -> String {
        """
        {
          "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
          "configurationVersion": 0,
          "configurationBundle": [
            { "namespace": "checkout", "networkConfiguration": { "endpoint": "\(collector)" } }
          ],
          "features": {
            "checkout": { "enabled": false, "variables": { "retryLimit": { "value": 2 }, "banner": { "value": "" } } },
            "search": { "enabled": true, "variables": { "pageSize": { "value": 20 } } }
          }
        }
        """
    }

    private static func payments(_ collector: String) -> String {
        """
        ,
                { "namespace": "payments", "networkConfiguration": { "endpoint": "\(collector)" } }
        """
    }

    private static func features(_ version: Int) -> String {
        """
        {
            "checkout": { "enabled": true, "variables": {
              "retryLimit": { "value": \(2 + version), "title": "Retries", "group": "Checkout",
                "description": "How often a payment is tried before the customer sees an error." },
              "banner": { "value": "Autumn sale, week \(version)", "title": "Banner", "group": "Checkout" },
              "apiKey": { "value": "c2VjcmV0", "encrypted": true, "title": "Key of the payment service", "group": "Checkout" } } },
            "search": { "enabled": true, "variables": {
              "pageSize": { "value": 20, "title": "Results on a page", "group": "Search" },
              "boost": { "value": 1.5, "title": "Boost of new things", "group": "Search" },
              "synonyms": { "value": { "tv": ["television", "telly"] }, "title": "Synonyms", "group": "Search" },
              "suggests": { "value": true, "title": "Suggestions while typing", "group": "Search" } } }
          }
        """
    }
}
