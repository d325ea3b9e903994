package import FoundationEssentials

extension Date {
    /// Creates a date from milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The nearest millisecond since 1970, within ±2^53: a clock that is far off must not trap.
    package var milliseconds: Int64 {
        Int64(min(max((timeIntervalSince1970 * 1000).rounded(), -0x1p53), 0x1p53))
    }
}
