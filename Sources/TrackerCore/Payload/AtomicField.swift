/// A parameter of the protocol with a maximum length in Snowplow's atomic schema
/// (`iglu:com.snowplowanalytics.snowplow/atomic/jsonschema/1-0-0`); Enrich makes a failed event of an event with a
/// longer value.
enum AtomicField: String, Sendable, CaseIterable {
    case tv, tna, aid
    case uid, duid, tnuid, sid, vid, ip, ua, tz, lang, res, vp, cd, url, refr, page
    case seCategory = "se_ca"
    case seAction = "se_ac"
    case seLabel = "se_la"
    case seProperty = "se_pr"
    case transactionID = "tr_id"
    case transactionAffiliation = "tr_af"
    case transactionCity = "tr_ci"
    case transactionState = "tr_st"
    case transactionCountry = "tr_co"
    case transactionCurrency = "tr_cu"
    case itemID = "ti_id"
    case itemSKU = "ti_sk"
    case itemName = "ti_nm"
    case itemCategory = "ti_ca"
    case itemCurrency = "ti_cu"

    /// The lowest bound of a parameter of structured events and pages.
    static let leastTextLength = 100

    /// The maximum length in UTF-16 code units, which Enrich counts.
    var maxLength: Int {
        switch self {
        case .tv: 100
        case .tna, .duid, .tnuid, .sid, .ip: 128
        case .ua, .seCategory, .seAction, .seProperty: 1000
        case .page: 2000
        case .url, .refr, .seLabel: 4096
        case .transactionCurrency, .itemCurrency: 3
        case .vid, .res, .vp, .cd: 12
        case .aid, .uid, .tz, .lang, .transactionID, .transactionAffiliation, .transactionCity, .transactionState,
            .transactionCountry, .itemID, .itemSKU, .itemName, .itemCategory:
            255
        }
    }

    /// The beginning of a text that is too long, cut between Unicode scalars; nil if the text is short enough.
    func truncated(_ text: String) -> String? {
        // A text has at most as many code units as bytes, and the bytes need no counting.
        guard text.utf8.count > maxLength, text.utf16.count > maxLength else { return nil }
        var length = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            length += scalar.utf16.count
            return length <= maxLength
        }
        return String(scalars)
    }
}
