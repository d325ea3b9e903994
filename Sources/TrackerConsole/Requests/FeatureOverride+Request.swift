import FoundationEssentials
import TrackerFeatures

extension FeatureOverride {
    /// The default lifetime of an override.
    static let defaultLifetime: TimeInterval = 4 * 3600

    /// Reads the body of a request for an override: `{"value": …, "by": …, "note": …, "expiry": …}`; only `value` is
    /// required.
    ///
    /// `by` and `note` are strings of at most ``maxAuthorLength`` and ``maxNoteLength`` Unicode scalars. `expiry` is a
    /// date such as `2026-01-31T12:00:00Z`, a number of seconds from now, or `never`; without it the override expires
    /// after 4 hours.
    /// - Parameters:
    ///   - body: The body's members.
    ///   - now: The time from which seconds are counted.
    /// - Throws: An error with status 422 and the reason.
    mutating func read(_ body: JSONObject, now: Date) throws(ConsoleError) {
        expiry = now.addingTimeInterval(Self.defaultLifetime)
        for member in body.members {
            switch (member.name, member.value) {
            case ("value", let given): value = given
            case ("by", .null), ("note", .null), ("expiry", .null), ("expiry", .string("")): break
            case ("by", .string(let text)): by = try Self.author(text)
            case ("note", .string(let text)):
                note = try Self.text(text, "note", atMost: Self.maxNoteLength)
            case ("by", let other), ("note", let other):
                throw ConsoleError(422, "'\(member.name)': expected a string, found \(other.kind)")
            case ("expiry", let given): expiry = try Self.date(given, now)
            default: throw ConsoleError(422, "unknown key \(member.name.excerpt)")
            }
        }
        guard value != nil else { throw ConsoleError(422, "required key 'value' is missing") }
    }

    /// Checks the name of the author of a change.
    /// - Returns: The name; nil if it is empty.
    static func author(_ text: String) throws(ConsoleError) -> String? {
        try Self.text(text, "by", atMost: maxAuthorLength)
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
            "'expiry': expected a date as 2026-01-31T12:00:00Z, a number of seconds or \"never\", found "
                + value.description.oneLine(most: 60))
    }

    /// The expiry of an override that stays until it is removed.
    private static let never = "never"

    /// The override in the form of a request that restores it.
    var requestJSON: JSONObject {
        var object = json
        object["expiry"] = object["expiry"] ?? .string(Self.never)
        return object
    }
}
