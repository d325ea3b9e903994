package import FoundationEssentials

extension Date {
    /// Creates a date from milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Milliseconds since 1970, rounded; at most ±2^49, about 17,800 years, beyond which a date is not exact to the
    /// millisecond. 0 if the date is not a number, because a wrong clock must not trap.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -0x1p49), 0x1p49))
    }
}
