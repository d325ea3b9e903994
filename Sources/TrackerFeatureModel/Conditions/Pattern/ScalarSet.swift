/// The Unicode scalars that a class of a regular expression, such as `[a-z\d]`, accepts.
struct ScalarSet: Sendable {
    /// The ASCII characters of the set.
    let ascii: ASCIISet

    /// The ranges of the class, sorted and apart from each other.
    private let ranges: [ClosedRange<UInt32>]
    private let isNegated: Bool
    private let ignoresCase: Bool

    /// Creates the set of a class.
    /// - Parameters:
    ///   - ranges: The ranges, in any order.
    ///   - isNegated: Whether the set has the scalars outside the ranges.
    ///   - ignoresCase: Whether a scalar counts as in a range if its other case is.
    init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false, ignoresCase: Bool = false) {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
        self.isNegated = isNegated
        self.ignoresCase = ignoresCase
        var ascii = ASCIISet()
        for scalar in UInt32(0)..<128
        where Self.holds(scalar, merged, ignoresCase: ignoresCase) != isNegated { ascii.insert(UInt8(scalar)) }
        self.ascii = ascii
    }

    /// Whether the set has a scalar.
    @inline(__always)
    func contains(_ scalar: UInt32) -> Bool {
        scalar < 128 ? ascii.contains(UInt8(truncatingIfNeeded: scalar)) : containsBeyondASCII(scalar)
    }

    /// Whether the set may have a scalar beyond ASCII; false only if it has none.
    var mayHoldBeyondASCII: Bool { isNegated || ranges.last.map { $0.upperBound >= 128 } ?? false }

    private func containsBeyondASCII(_ scalar: UInt32) -> Bool {
        Self.holds(scalar, ranges, ignoresCase: ignoresCase) != isNegated
    }

    private static func holds(_ scalar: UInt32, _ ranges: [ClosedRange<UInt32>], ignoresCase: Bool) -> Bool {
        if holds(scalar, ranges) { return true }
        guard ignoresCase, let cases = SimpleCase(of: scalar) else { return false }
        return holds(cases.lower, ranges) || holds(cases.upper, ranges)
    }

    /// Whether a sorted list of ranges has a scalar.
    private static func holds(_ scalar: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }
}
