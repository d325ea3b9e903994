/// A date and a time of day in UTC, in the Gregorian calendar also before 1582.
///
/// Unlike `gmtime_r` and `timegm` it reads no file and takes no lock, so that a hot path may use it.
struct CivilTime {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Eras of 400 years begin in March, so that the leap day comes last.
    private static let (daysPerEra, daysFromEraTo1970) = (146_097, 719_468)
}

extension CivilTime {
    /// Creates the time from seconds since 1970.
    init(secondsSince1970 seconds: Int) {
        let (days, secondOfDay) = seconds.flooredQuotient(by: 86_400)
        let (era, dayOfEra) = (days + Self.daysFromEraTo1970).flooredQuotient(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    }
}

extension Int {
    /// The quotient, rounded down, and the remainder, which is not negative.
    func flooredQuotient(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// A non-negative number with leading zeros.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
