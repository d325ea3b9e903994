import FoundationEssentials
import TrackerConfig

/// What a request says about an override: `{"value": …, "by": …, "note": …, "expiry": …}`, of which `value` is required.
///
/// `by` and `note` are texts of at most ``FeatureOverride/maxAuthorLength`` and ``FeatureOverride/maxNoteLength`` Unicode
/// scalars. `expiry` is a date as `2026-01-31T12:00:00Z`, or a number of seconds from now.
struct OverrideRequest {
    let value: JSONValue
    let details: OverrideDetails

    /// Reads the body of a request.
    /// - Parameters:
    ///   - body: The body's members.
    ///   - author: The client, if the body names no one.
    ///   - now: The time that seconds are counted from.
    /// - Throws: An error with status 422 and what is wrong.
    init(_ body: JSONObject, author: String, now: Date) throws(ConsoleError) {
        var value: JSONValue?
        var details = OverrideDetails(by: author)
        for member in body.members {
            switch (member.name, member.value) {
            case ("value", let given): value = given
            case ("by", .null), ("note", .null), ("expiry", .null): break
            case ("by", .string(let text)): details.by = try Self.author(text) ?? author
            case ("note", .string(let text)):
                details.note = try Self.text(text, "note", atMost: FeatureOverride.maxNoteLength)
            case ("by", let other), ("note", let other):
                throw ConsoleError(422, "'\(member.name)': expected a string, found \(other.kind)")
            case ("expiry", let given): details.expiry = try Self.date(given, now)
            default: throw ConsoleError(422, "unknown key \(member.name.excerpt)")
            }
        }
        guard let value else { throw ConsoleError(422, "required key 'value' is missing") }
        (self.value, self.details) = (value, details)
    }

    /// Checks the name of the author of a change.
    /// - Returns: The name; nil if it is empty.
    static func author(_ text: String) throws(ConsoleError) -> String? {
        try Self.text(text, "by", atMost: FeatureOverride.maxAuthorLength)
    }

    private static func text(_ text: String, _ name: String, atMost most: Int) throws(ConsoleError) -> String? {
        let count = text.unicodeScalars.count
        guard count <= most else {
            throw ConsoleError(422, "'\(name)': expected at most \(most) characters, found \(count)")
        }
        let trimmed = text.trimmed
        return trimmed.isEmpty ? nil : trimmed
    }

    private static func date(_ value: JSONValue, _ now: Date) throws(ConsoleError) -> Date {
        if let seconds = value.double { return now.addingTimeInterval(seconds) }
        if let instant = value.string.flatMap({ Instant($0) }) { return Date(milliseconds: instant.milliseconds) }
        throw ConsoleError(
            422, "'expiry': expected a date as 2026-01-31T12:00:00Z or a number of seconds, found \(value.excerpt)")
    }
}

extension JSONValue {
    fileprivate var excerpt: String { description.oneLine(most: 60) }
}
