/// A moment, to the millisecond.
package struct Instant: Sendable, Hashable {
    /// Milliseconds since 1970.
    package let milliseconds: Int64

    /// The value for an unknown time.
    package static let unknown = Instant(milliseconds: .min + 1)

    /// Creates the moment of a number of milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Reads a moment in the format of RFC 3339, with an offset or `Z` at its end: `2026-12-01T00:00:00+01:00`. A
    /// fraction of a second may have nine digits, of which three count; nil if the text is not such a moment.
    package init?(_ text: String) {
        let text = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= text.count, text[range].allSatisfy(Self.isDigit) else { return nil }
            return text[range].reduce(0) { $0 * 10 + Int($1 & 15) }
        }
        let separators = zip([4, 7, 10, 13, 16], "--T::".utf8)
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            separators.allSatisfy({ text[$0] == $1 || $0 == 10 && text[$0] == UInt8(ascii: "t") }),
            1...12 ~= month, hour < 24, minute < 60, second < 60
        else { return nil }
        let date = Self.daysSince1970(year, month, day)
        guard day > 0, date < Self.daysSince1970(year, month + 1, 1) else { return nil }
        var rest = text[19...]
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: Self.isDigit)
            rest = rest[fraction.endIndex...]
            guard 1...9 ~= fraction.count else { return nil }
        }
        var offset = 0
        let (mark, start) = (rest.first, rest.startIndex)
        if rest.count != 1 || mark != UInt8(ascii: "Z") && mark != UInt8(ascii: "z") {
            guard rest.count == 6, let hours = number(start + 1..<start + 3),
                let minutes = number(start + 4..<start + 6),
                mark == UInt8(ascii: "+") || mark == UInt8(ascii: "-"), rest[start + 3] == UInt8(ascii: ":"),
                hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (mark == UInt8(ascii: "-") ? -60 : 60)
        }
        var thousandths: Int64 = 0
        for place in 0..<3 {
            thousandths = thousandths * 10 + (place < fraction.count ? Int64(fraction[20 + place] & 15) : 0)
        }
        milliseconds = Int64(((date * 24 + hour) * 60 + minute) * 60 + second - offset) * 1000 + thousandths
    }

    /// Returns why a text is not a moment.
    package static func fault(of text: String) -> String {
        let example = "'2026-12-01T00:00:00+01:00'"
        let isWithoutOffset = Instant("\(text)Z") != nil || Instant("\(text)T00:00:00Z") != nil
        return isWithoutOffset
            ? "\(text.excerpt) has no offset or no time, so each machine could read another moment; expected \(example)"
            : "expected a moment with an offset, as \(example), found \(text.excerpt)"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years begin in March, so that the leap day comes last; one more era keeps the year 0 positive.
        let year = (month > 2 ? year : year - 1) + 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 146_097 - 719_468
    }
}

extension Instant: Comparable {
    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}
