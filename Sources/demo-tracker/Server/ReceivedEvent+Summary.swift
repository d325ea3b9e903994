import TrackerJSON

extension ReceivedEvent {
    /// What happened, for a reader, on one line, with the user if there is one: `struct  cart / add  user u-1`.
    var summary: String {
        let words =
            switch parameters["e"] {
            case "se": "struct  \(text("se_ca")) / \(text("se_ac"))"
            case "pv": "page view  \(text("url"))"
            case "pp": "page ping  \(text("url"))"
            case "tr": "transaction  \(text("tr_id"))"
            case "ti": "item  \(text("ti_sk"))"
            case "ue": selfDescribing.map(Self.summary) ?? "self-describing ?"
            case let type: "unknown  \(type ?? "?")"
            }
        let user = parameters["uid"].map { "  user \($0)" } ?? ""
        return String((words + user).map { $0.isNewline ? " " : $0 }).oneLine(most: 2000)
    }

    private func text(_ name: String) -> String {
        parameters[name] ?? "?"
    }

    private static func summary(of event: SelfDescribingJSON) -> String {
        let fields = event.data as? [String: Any] ?? [:]
        func text(_ name: String) -> String {
            fields[name].map { "\($0)" } ?? "?"
        }
        if event.shortSchema.hasPrefix("com.snowplowanalytics.mobile/screen_view/") {
            return "screen view  \(text("name"))"
        }
        if event.shortSchema.hasPrefix("com.snowplowanalytics.snowplow/timing/") {
            return "timing  \(text("category")) / \(text("variable")) \(text("timing"))"
        }
        if event.shortSchema.hasPrefix("io.tracker-config/exposure/") {
            return "exposure  \(text("experiment")) / \(text("variant")) \(text("unitId")), version \(text("version"))"
        }
        return "self-describing \(event.shortSchema) \(shortened(event.text))"
    }

    private static func shortened(_ text: String) -> String {
        text.count > 60 ? text.prefix(59) + "…" : text
    }
}
