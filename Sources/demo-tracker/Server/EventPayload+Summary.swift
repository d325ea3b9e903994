import TrackerCore

extension EventPayload {
    /// The event on one line for people, with the user if there is one: `struct  cart / add  user u-1`.
    var summary: String {
        let words =
            switch self["e"] {
            case "se": "struct  \(text("se_ca")) / \(text("se_ac"))"
            case "pv": "page view  \(text("url"))"
            case "pp": "page ping  \(text("url"))"
            case "tr": "transaction  \(text("tr_id"))"
            case "ti": "item  \(text("ti_sk"))"
            case "ue": selfDescribing.map(Self.summary) ?? "self-describing ?"
            case let type: "unknown  \(type ?? "?")"
            }
        let user = self["uid"].map { "  user \($0)" } ?? ""
        return String((words + user).map { $0.isNewline ? " " : $0 }).oneLine(most: 2000)
    }

    private func text(_ name: String) -> String { self[name] ?? "?" }

    private static func summary(of event: JSONValue) -> String {
        // The schema as vendor, name and version: `com.acme/order/1-0-0`.
        let schema = (event["schema"]?.string ?? "?").replacing("iglu:", with: "", maxReplacements: 1)
            .replacing("/jsonschema/", with: "/")
        let data = "\(event["data"] ?? .null)"
        func text(_ name: String) -> String {
            let value = event["data"]?[name]
            return value?.string ?? value.map { "\($0)" } ?? "?"
        }
        return switch schema.split(separator: "/").prefix(2).joined(separator: "/") {
        case "com.snowplowanalytics.mobile/screen_view": "screen view  \(text("name"))"
        case "com.snowplowanalytics.snowplow/timing":
            "timing  \(text("category")) / \(text("variable")) \(text("timing"))"
        case "io.tracker-config/exposure":
            "exposure  \(text("experiment")) / \(text("variant")) \(text("unitId")), version \(text("version"))"
        default: "self-describing \(schema) \(data.count > 60 ? data.prefix(59) + "…" : data)"
        }
    }
}
