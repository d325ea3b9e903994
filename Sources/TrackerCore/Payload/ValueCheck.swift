package import FoundationEssentials

/// Checks the values of one event or entity where it is made; each check returns the value that is good.
package struct ValueCheck {
    private let type: Any.Type

    /// - Parameter type: The type that is made, for the error.
    package init(_ type: Any.Type) {
        self.type = type
    }

    /// A text of so many Unicode code points.
    package func text(_ value: String, _ place: String, in lengths: ClosedRange<Int>) throws(EventError) -> String {
        // No text has more code points than bytes, which need no counting.
        if lengths.lowerBound == 0, value.utf8.count <= lengths.upperBound { return value }
        let count = value.unicodeScalars.count
        guard !lengths.contains(count) else { return value }
        let (least, most) = (lengths.lowerBound, lengths.upperBound)
        let bounds = least == most ? "\(least)" : least == 0 ? "at most \(most)" : "\(least) to \(most)"
        throw error(.wrongLength, place, "expected \(bounds) characters, found \(count)")
    }

    /// A text of at most so many Unicode code points.
    package func text(_ value: String, _ place: String, atMost length: Int) throws(EventError) -> String {
        try text(value, place, in: 0...length)
    }

    /// A text of at most so many Unicode code points, or none.
    package func text(_ value: String?, _ place: String, atMost length: Int) throws(EventError) -> String? {
        guard let value else { return nil }
        return try text(value, place, in: 0...length)
    }

    /// A text that is not empty.
    package func nonEmptyText(_ value: String, _ place: String) throws(EventError) -> String {
        guard value.isEmpty else { return value }
        throw error(.wrongLength, place, "expected at least 1 character, found 0")
    }

    /// A list of texts of at most so many Unicode code points each.
    package func texts(_ values: [String], _ place: String, atMost length: Int) throws(EventError) -> [String] {
        for (index, value) in values.enumerated() { _ = try text(value, "\(place)[\(index)]", in: 0...length) }
        return values
    }

    /// A list of one text or more, of at most so many Unicode code points each.
    package func nonEmptyTexts(_ values: [String], _ place: String, atMost length: Int) throws(EventError) -> [String] {
        guard !values.isEmpty else { throw error(.empty, place, "expected at least one") }
        return try texts(values, place, atMost: length)
    }

    /// A currency's code of three characters (ISO 4217).
    package func currency(_ value: String, _ place: String) throws(EventError) -> String {
        try text(value, place, in: 3...3)
    }

    /// A whole number in a range.
    package func integer(_ value: Int, _ place: String, in range: ClosedRange<Int>) throws(EventError) -> Int {
        guard !range.contains(value) else { return value }
        throw error(.outOfRange, place, "expected \(range.lowerBound) to \(range.upperBound), found \(value)")
    }

    /// A whole number in a range, or none.
    package func integer(_ value: Int?, _ place: String, in range: ClosedRange<Int>) throws(EventError) -> Int? {
        guard let value else { return nil }
        return try integer(value, place, in: range) as Int
    }

    /// Refuses a number that is above another one, where both are there.
    package func ordered(_ value: Int?, _ place: String, atMost limit: Int?, _ limitPlace: String) throws(EventError) {
        guard let value, let limit, value > limit else { return }
        throw error(.outOfRange, place, "expected at most \(limitPlace) (\(limit)), found \(value)")
    }

    /// A finite number.
    package func number(_ value: Double, _ place: String) throws(EventError) -> Double {
        guard !value.isFinite else { return value }
        throw error(.notFinite, place, "expected a finite number, found \(value)")
    }

    /// A finite number, or none.
    package func number(_ value: Double?, _ place: String) throws(EventError) -> Double? {
        guard let value else { return nil }
        return try number(value, place) as Double
    }

    /// An amount of 0 to 9,999,999 in hundredths, as all amounts of the ecommerce schemas are.
    package func money(_ value: Double, _ place: String) throws(EventError) -> Double {
        let hundredths = try (number(value, place) * 100).rounded()
        guard 0...999_999_900 ~= hundredths else {
            throw error(.outOfRange, place, "expected 0 to 9999999, found \(value)")
        }
        // A sum such as 0.1 + 0.2 is a hair away from its hundredth; what it meant is the hundredth itself.
        guard (value * 100 - hundredths).magnitude < 1e-3 else {
            throw error(.tooPrecise, place, "expected at most two decimals, found \(value)")
        }
        return (hundredths / 100).magnitude
    }

    /// An amount of 0 to 9,999,999 in hundredths, or none.
    package func money(_ value: Double?, _ place: String) throws(EventError) -> Double? {
        guard let value else { return nil }
        return try money(value, place) as Double
    }

    /// An absolute URI (RFC 3986).
    package func uri(_ value: String, _ place: String, atMost length: Int = .max) throws(EventError) -> String {
        guard URLComponents(string: value, encodingInvalidCharacters: false)?.scheme != nil else {
            throw error(.malformedURI, place, "expected an absolute URI, found \(value.excerpt)")
        }
        return try text(value, place, in: 0...length)
    }

    /// An absolute URI (RFC 3986), or none.
    package func uri(_ value: String?, _ place: String, atMost length: Int = .max) throws(EventError) -> String? {
        guard let value else { return nil }
        return try uri(value, place, atMost: length) as String
    }

    /// A date that RFC 3339 can write, or none.
    package func date(_ value: Date?, _ place: String) throws(EventError) -> Date? {
        guard let value, Timestamp.iso8601(value) == nil else { return value }
        throw error(.outOfRange, place, "expected a date in the years 0000 to 9999")
    }

    private func error(_ code: NamedCode<EventError>, _ place: String, _ reason: String) -> EventError {
        // The first part is the module's name.
        let name = String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
        return EventError(code, type: name, place: place, reason: reason)
    }
}
