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
        guard time.count == 3, let day = Int(words[1]), let year = Int(words[3]),
            let hour = Int(time[0]), let minute = Int(time[1]), let second = Int(time[2]),
            0...9999 ~= year, 1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else { return nil }

        seconds =
            CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
            .secondsSince1970
        // 31 February, a wrong weekday and missing zeros do not come back as they were.
        guard description == text else { return nil }
    }

    /// The date as HTTP writes it.
    package var description: String {
        let time = CivilTime(secondsSince1970: seconds)
        let day = "\(Self.weekdays[time.weekday]), \(time.day.padded(to: 2))"
        let clock = [time.hour, time.minute, time.second].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(day) \(Self.months[time.month - 1]) \(time.year.padded(to: 4)) \(clock) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
