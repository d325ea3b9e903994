package import FoundationEssentials

extension Date {
    /// The time in UTC as RFC 3339 writes it, without a fraction if it has none: `2026-01-31T12:00:00Z`, else with
    /// milliseconds. nil outside the years 0000 to 9999.
    package var iso8601: String? {
        guard let text = Timestamp.iso8601(self) else { return nil }
        return text.hasSuffix(".000Z") ? "\(text.dropLast(5))Z" : text
    }

    /// Reads a time as RFC 3339 writes it, with an offset or `Z` at its end; nil if the text is no such time.
    package init?(iso8601 text: String) {
        let form = /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:[Zz]|([+-])(\d\d):(\d\d))/
        guard let match = text.wholeMatch(of: form) else { return nil }
        let (_, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes) = match.output
        // Digits of other scripts match too, and are no numbers.
        let numbers = [year, month, day, hour, minute, second, offsetHours ?? "00", offsetMinutes ?? "00"]
            .compactMap { Int($0) }
        guard numbers.count == 8, numbers[6] < 24, numbers[7] < 60, let part = Double("0\(fraction ?? ".0")") else {
            return nil
        }
        let time = CivilTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
        let seconds = time.secondsSince1970
        // A day or an hour that does not exist comes back as another one.
        guard CivilTime(secondsSince1970: seconds) == time else { return nil }
        let offset = (numbers[6] * 60 + numbers[7]) * (sign == "-" ? -60 : 60)
        self.init(timeIntervalSince1970: Double(seconds - offset) + part)
    }
}
