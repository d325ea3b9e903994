/// The two cases of a letter.
struct SimpleCase {
    let lower: UInt32
    let upper: UInt32

    /// The cases of a scalar, each a single one; nil if it has no other case.
    ///
    /// As in JavaScript no letter beyond ASCII is another case of one in ASCII, such as the Kelvin sign of "k".
    init?(of scalar: UInt32) {
        if scalar < 128 {
            let letter = scalar | 0x20
            guard (0x61...0x7A).contains(letter) else { return nil }
            (lower, upper) = (letter, letter & ~0x20)
            return
        }
        guard let properties = Unicode.Scalar(scalar)?.properties else { return nil }
        lower = Self.single(properties.lowercaseMapping) ?? scalar
        upper = Self.single(properties.uppercaseMapping) ?? scalar
        if lower == upper { return nil }
    }

    private static func single(_ mapping: String) -> UInt32? {
        let scalars = mapping.unicodeScalars
        guard let first = scalars.first, scalars.count == 1, first.value >= 128 else { return nil }
        return first.value
    }
}
