import FoundationEssentials
import TrackerConfig

/// What a request says about an override: `{"value": …, "by": …, "note": …, "expiry": …}`, of which `value` and `by` are
/// required.
///
/// `by` and `note` are texts of at most ``FeatureOverride/maxAuthorLength`` and ``FeatureOverride/maxNoteLength`` Unicode
/// scalars. `expiry` is a date as `2026-01-31T12:00:00Z`, a number of seconds from now, or `never`; without it the override
/// expires after 4 hours.
struct OverrideRequest {
    /// The time after which an override expires unless its request says otherwise.
    static let defaultLifetime: TimeInterval = 4 * 3600

    let value: JSONValue
    let details: OverrideDetails

    /// Reads the body of a request.
    /// - Parameters:
    ///   - body: The body's members.
    ///   - author: The author if the body names none; nil if it has to.
    ///   - now: The time that seconds are counted from.
    /// - Throws: An error with status 400 if there is no author, or 422 and what is wrong.
    init(_ body: JSONObject, author: String?, now: Date) throws(ConsoleError) {
        var value: JSONValue?
        var details = OverrideDetails(by: author, expiry: now.addingTimeInterval(Self.defaultLifetime))
        for member in body.members {
            switch (member.name, member.value) {
            case ("value", let given): value = given
            case ("by", .null), ("note", .null), ("expiry", .null), ("expiry", .string("")): break
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
        guard details.by != nil else {
            throw ConsoleError(
                400, #"an override needs an author: send "by": "NAME" in the body or ?by=NAME in the query"#)
        }
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

    /// Reads an expiry; nil for none.
    private static func date(_ value: JSONValue, _ now: Date) throws(ConsoleError) -> Date? {
        if value.string == Self.never { return nil }
        if let seconds = value.double { return now.addingTimeInterval(seconds) }
        if let instant = value.string.flatMap({ Instant($0) }) { return Date(milliseconds: instant.milliseconds) }
        throw ConsoleError(
            422,
            "'expiry': expected a date as 2026-01-31T12:00:00Z, a number of seconds or \"never\", found \(value.excerpt)"
        )
    }

    /// The expiry of an override that stays until it is removed.
    static let never = "never"
}

extension JSONValue {
    fileprivate var excerpt: String { description.oneLine(most: 60) }
}
