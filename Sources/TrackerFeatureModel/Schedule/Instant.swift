/// A moment, to the millisecond.
package struct Instant: Sendable, Hashable {
    /// Milliseconds since 1970.
    package let milliseconds: Int64

    /// Stands for a time that is not known.
    package static let unknown = Instant(milliseconds: .min + 1)

    /// Creates the moment of a number of milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Reads a moment as RFC 3339 writes it, with an offset or `Z` at its end: `2026-12-01T00:00:00+01:00`. Of a fraction of a
    /// second, which may have nine digits, three count; nil if the text is no such moment.
    package init?(_ text: String) {
        var text = text
        guard let milliseconds = text.withUTF8(Self.milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Why a text is no moment.
    package static func fault(of text: String) -> String {
        let example = "'2026-12-01T00:00:00+01:00'"
        let isWithoutOffset = Instant("\(text)Z") != nil || Instant("\(text)T00:00:00Z") != nil
        return isWithoutOffset
            ? "\(text.excerpt) has no offset or no time, so each machine could read another moment; expected \(example)"
            : "expected a moment with an offset, as \(example), found \(text.excerpt)"
    }

    private static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= text.count else { return nil }
            var number = 0
            for byte in text[range] {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
            index < text.count && text[index] == UInt8(ascii: character)
        }
        guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
            let day = number(8..<10), has("T", at: 10) || has("t", at: 10),
            let hour = number(11..<13), has(":", at: 13),
            let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
            1...12 ~= month, 1...days(of: month, year) ~= day, hour < 24, minute < 60, second < 60
        else { return nil }
        var (index, thousandths) = (19, 0)
        if has(".", at: index) {
            let digits = text[(index + 1)...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            guard 1...9 ~= digits.count else { return nil }
            for place in 0..<3 {
                let digit = place < digits.count ? Int(digits[digits.startIndex + place] - UInt8(ascii: "0")) : 0
                thousandths = thousandths * 10 + digit
            }
            index = digits.endIndex
        }
        var offset = 0
        if has("Z", at: index) || has("z", at: index) {
            index += 1
        } else {
            guard has("+", at: index) || has("-", at: index), let hours = number(index + 1..<index + 3),
                has(":", at: index + 3), let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (has("-", at: index) ? -60 : 60)
            index += 6
        }
        guard index == text.count else { return nil }
        let seconds = ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset
        return Int64(seconds) * 1000 + Int64(thousandths)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

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
