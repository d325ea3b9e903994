import Testing
import TrackerCore

/// A parameter with the values at its bounds, which are taken, and those just beyond, which are refused with a sentence.
///
/// Its place is that of the sentence: the type and the parameter.
struct Bound: Sendable, CustomTestStringConvertible {
    private struct Attempt: Sendable {
        let value: String
        /// The sentence after the parameter's name, nil where the value is taken.
        let reason: String?
        let make: @Sendable () throws -> any Sendable
    }

    private let place: String
    private let attempts: [Attempt]

    var testDescription: String { place }

    static func text(
        _ place: String, _ lengths: ClosedRange<Int>, _ make: @escaping @Sendable (String) throws -> any Sendable
    ) -> Bound {
        let (least, most) = (lengths.lowerBound, lengths.upperBound)
        let bounds = least == most ? "\(least)" : "at most \(most)"
        return Bound(
            place: place,
            attempts: [least - 1, least, most, most + 1].filter { $0 >= 0 }.map { length in
                // Two bytes each, so that bytes that are counted for characters show.
                let reason = lengths.contains(length) ? nil : "expected \(bounds) characters, found \(length)"
                return Attempt(value: "\(length) characters", reason: reason) {
                    try make(String(repeating: "é", count: length))
                }
            })
    }

    static func text(
        _ place: String, atMost most: Int, _ make: @escaping @Sendable (String) throws -> any Sendable
    ) -> Bound {
        text(place, 0...most, make)
    }

    static func integer(
        _ place: String, _ range: ClosedRange<Int>, _ make: @escaping @Sendable (Int) throws -> any Sendable
    ) -> Bound {
        let (least, most) = (range.lowerBound, range.upperBound)
        return Bound(
            place: place,
            attempts: [.min, least - 1, least, most, most + 1, .max].map { value in
                let reason = range.contains(value) ? nil : "expected \(least) to \(most), found \(value)"
                return Attempt(value: "\(value)", reason: reason) { try make(value) }
            })
    }

    static func number(_ place: String, _ make: @escaping @Sendable (Double) throws -> any Sendable) -> Bound {
        let good = [0, -1.5, .greatestFiniteMagnitude].map { value in
            Attempt(value: "\(value)", reason: nil) { try make(value) }
        }
        return Bound(place: place, attempts: good + infinite(make))
    }

    static func money(_ place: String, _ make: @escaping @Sendable (Double) throws -> any Sendable) -> Bound {
        let table: [(Double, String?)] = [
            (0, nil), (0.01, nil), (19.99, nil), (0.1 + 0.2, nil), (9_999_999, nil),
            (-0.01, "expected 0 to 9999999, found -0.01"), (9_999_999.01, "expected 0 to 9999999, found 9999999.01"),
            (1.005, "expected at most two decimals, found 1.005"),
            (0.001, "expected at most two decimals, found 0.001"),
        ]
        let finite = table.map { value, reason in Attempt(value: "\(value)", reason: reason) { try make(value) } }
        return Bound(place: place, attempts: finite + infinite(make))
    }

    static func uri(
        _ place: String, atMost most: Int? = nil, _ make: @escaping @Sendable (String) throws -> any Sendable
    ) -> Bound {
        let good = ["https://example.com/a?b=c#d", "app://item/17", "urn:isbn:1"]
        let bad = ["", "/path", "example.com", "https://a b", "https://a/é", "https://a/%zz", "https://a/#b#c"]
        var attempts = good.map { text in Attempt(value: text, reason: nil) { try make(text) } }
        attempts += bad.map { text in
            Attempt(value: text, reason: "expected an absolute URI, found '\(text)'") { try make(text) }
        }
        if let most {
            for length in [most, most + 1] {
                let reason = length > most ? "expected at most \(most) characters, found \(length)" : nil
                attempts.append(
                    Attempt(value: "\(length) characters", reason: reason) {
                        try make("a:" + String(repeating: "b", count: length - 2))
                    })
            }
        }
        return Bound(place: place, attempts: attempts)
    }

    private static func infinite(_ make: @escaping @Sendable (Double) throws -> any Sendable) -> [Attempt] {
        [Double.infinity, -.infinity, .nan].map { value in
            Attempt(value: "\(value)", reason: "expected a finite number, found \(value)") { try make(value) }
        }
    }

    /// Makes all values.
    func check() {
        for attempt in attempts {
            #expect(sentence(attempt.make) == attempt.reason.map { "\(place): \($0)" }, "\(attempt.value)")
        }
    }
}

/// Why a value cannot be made, nil where it can.
func sentence(_ make: () throws -> some Any) -> String? {
    do {
        _ = try make()
        return nil
    } catch {
        return "\(error)"
    }
}
