import TrackerCurl

/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`, in English everywhere (RFC 9110, section 5.6.7).
package struct HTTPDate: CustomStringConvertible {
    /// Seconds since 1970.
    package let seconds: Int

    /// A date by its seconds since 1970.
    package init(_ seconds: Int) {
        self.seconds = seconds
    }

    /// Reads a date in any form that libcurl knows, HTTP's two obsolete ones among them; nil if `text` is none.
    package init?(_ text: String) {
        let seconds = curl_getdate(text, nil)
        guard seconds != -1 else { return nil }
        self.seconds = seconds
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
