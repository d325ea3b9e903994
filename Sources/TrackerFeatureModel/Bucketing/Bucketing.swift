/// Assigns units to variants by a hash, so that a whole fleet agrees without communication.
///
/// The hashes and the ranges are exactly those of GrowthBook (https://docs.growthbook.io/lib/build-your-own), so that
/// an experiment that moves here from GrowthBook keeps its assignments.
package enum Bucketing {
    /// Returns the hash of a value as a fraction.
    /// - Parameters:
    ///   - value: A unit's id.
    ///   - seed: The experiment's seed.
    ///   - version: The hash.
    /// - Returns: A fraction in 0 ..< 1, one of ``HashVersion/steps`` values.
    package static func fraction(of value: String, seed: String, version: HashVersion) -> Double {
        var hash = FNV1a32()
        switch version {
        case .v1:
            hash.combine(value)
            hash.combine(seed)
        case .v2:
            hash.combine(seed)
            hash.combine(value)
            let first = hash.value
            hash = FNV1a32()
            hash.combine(String(first))
        }
        return Double(hash.value % version.steps) / Double(version.steps)
    }

    /// Returns the range of fractions for each variant: it starts at the sum of the shares before its own, and its
    /// length is its share times the coverage.
    /// - Parameters:
    ///   - weights: The variants' weights. A missing, negative or NaN weight is 0; if none is given, all are equal.
    ///   - coverage: The share of each variant's units; a number outside 0…1 is clamped.
    ///   - sum: The divisor of the weights; their sum by default. GrowthBook uses weights that sum to 0.99…1.01 as they
    ///     are, so its divisor is 1.
    /// - Returns: A range for each weight, in their order; all empty if all weights are zero.
    package static func ranges(weights: [Double?], coverage: Double, sum: Double? = nil) -> [Range<Double>] {
        let coverage = min(max(0, coverage), 1)
        let isGiven = weights.contains { $0 != nil }
        var shares = weights.map { isGiven ? min(max(0, $0 ?? 0), .greatestFiniteMagnitude) : 1 }
        // The sum of weights near the greatest number is infinite.
        if !shares.reduce(0, +).isFinite, let largest = shares.max() { shares = shares.map { $0 / largest } }
        let sum = sum ?? shares.reduce(0, +)
        // Rounding must not move the bounds of weights that are shares already.
        let total = (sum - 1).magnitude < 1e-9 ? 1 : sum
        var start = 0.0
        return shares.map { share in
            let share = total > 0 ? share / total : 0
            defer { start += share }
            return start..<start + coverage * share
        }
    }

    /// The index of the first range that contains a fraction; nil if none does.
    package static func variantIndex(_ fraction: Double, in ranges: [Range<Double>]) -> Int? {
        ranges.firstIndex { $0.contains(fraction) }
    }
}

/// The version of GrowthBook's hash that assigns units to variants.
package enum HashVersion: Int, Sendable, Hashable, CaseIterable {
    /// The first version. Units that share a variant in one experiment tend to share it in others.
    case v1 = 1
    /// The second version, without that bias. It is the default.
    case v2 = 2

    /// The number of different fractions of the hash.
    package var steps: UInt32 { self == .v1 ? 1000 : 10_000 }
}

/// The 32-bit FNV-1a hash over whole UTF-16 code units, as in GrowthBook's JavaScript SDK.
struct FNV1a32 {
    /// The hash of all units so far.
    private(set) var value: UInt32 = 0x811C_9DC5

    /// Adds a text's UTF-16 code units.
    mutating func combine(_ text: String) {
        let start = value
        // ASCII's bytes are its code units, and decoding them would cost more than the hash.
        let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes { combine(UInt32(byte)) }
            return bytes.allSatisfy { $0 < 0x80 }
        }
        if isASCII == true { return }
        value = start
        for unit in text.utf16 { combine(UInt32(unit)) }
    }

    private mutating func combine(_ unit: UInt32) {
        value = (value ^ unit) &* 0x0100_0193
    }
}
