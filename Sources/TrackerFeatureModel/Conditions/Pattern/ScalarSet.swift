/// The Unicode scalars that a part of a regular expression, such as `x` or `[a-z\d]`, accepts.
struct ScalarSet: Sendable {
    static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    static let words: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    static let spaces: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    static let lineTerminators: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

    /// The scalars outside sorted ranges.
    static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        let starts = [0] + ranges.map { $0.upperBound + 1 }
        let ends = ranges.map(\.lowerBound) + [0x110000]
        return zip(starts, ends).map { $0...$1 - 1 }
    }

    private let ranges: [ClosedRange<UInt32>]
    private let isNegated: Bool
    private let ignoresCase: Bool

    /// The steps for a look-up of a scalar.
    let steps: Int

    /// Creates the set of a class.
    /// - Parameters:
    ///   - ranges: The ranges, in any order.
    ///   - isNegated: Whether the set contains the scalars outside the ranges instead.
    ///   - ignoresCase: Whether a scalar is in a range if its other case is.
    init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false, ignoresCase: Bool = false) {
        // Of letters with three cases, such as "σ", the third one is found as another case of the second.
        let scalars = ignoresCase ? ranges.filter { $0.count == 1 }.map { Self.cases(of: $0.lowerBound) } : []
        self.ranges = ranges + scalars.flatMap { [$0...$0, $1...$1] }
        (self.isNegated, self.ignoresCase) = (isNegated, ignoresCase)
        steps = 1 + self.ranges.count / 8
    }

    /// Whether the set contains a scalar.
    func contains(_ scalar: UInt32) -> Bool {
        if holds(scalar) { return !isNegated }
        guard ignoresCase else { return isNegated }
        let cases = Self.cases(of: scalar)
        return (holds(cases.lower) || holds(cases.upper)) != isNegated
    }

    /// The scalar in both cases, if each is a single scalar. As in JavaScript, a letter beyond ASCII is not a case of
    /// an ASCII letter, such as the Kelvin sign of "k".
    private static func cases(of scalar: UInt32) -> (lower: UInt32, upper: UInt32) {
        if scalar < 128 { return 0x61...0x7A ~= scalar | 0x20 ? (scalar | 0x20, scalar & ~0x20) : (scalar, scalar) }
        func single(_ mapping: String?) -> UInt32 {
            guard let scalars = mapping?.unicodeScalars, let first = scalars.first, scalars.count == 1 else {
                return scalar
            }
            return first.isASCII ? scalar : first.value
        }
        let properties = Unicode.Scalar(scalar)?.properties
        return (single(properties?.lowercaseMapping), single(properties?.uppercaseMapping))
    }

    private func holds(_ scalar: UInt32) -> Bool {
        for range in ranges where range.contains(scalar) { return true }
        return false
    }
}
