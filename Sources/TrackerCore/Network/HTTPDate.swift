import Foundation

/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`, in English everywhere (RFC 9110, section 5.6.7).
package struct HTTPDate: CustomStringConvertible {
    /// Seconds since 1970.
    package let seconds: Int

    /// A date by its seconds since 1970.
    package init(_ seconds: Int) {
        self.seconds = seconds
    }

    /// Reads a date; nil where `text` is none, which includes HTTP's two obsolete forms.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, words.count == 6,
            let month = Self.months.firstIndex(of: String(words[2]))
        else { return nil }
        let time = words[4].split(separator: ":")
        guard time.count == 3, let day = Int32(words[1]), let year = Int32(words[3]),
            let hour = Int32(time[0]), let minute = Int32(time[1]), let second = Int32(time[2]),
            0...9999 ~= year, 1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else { return nil }

        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (day, Int32(month), year - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
        seconds = timegm(&parts)
        // 31 February, a wrong weekday and missing zeros do not come back as they were.
        guard description == text else { return nil }
    }

    /// The date as HTTP writes it.
    package var description: String {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = "\(Self.weekdays[Int(parts.tm_wday)]), \(Self.digits(parts.tm_mday))"
        let year = Self.digits(parts.tm_year + 1900, count: 4)
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.digits($0) }.joined(separator: ":")
        return "\(day) \(Self.months[Int(parts.tm_mon)]) \(year) \(time) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func digits(_ number: Int32, count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
