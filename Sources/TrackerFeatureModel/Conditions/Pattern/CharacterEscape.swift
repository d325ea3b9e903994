/// What a backslash and the characters after it stand for.
enum CharacterEscape {
    case scalar(UInt32)
    case ranges([ClosedRange<UInt32>])

    static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    static let words: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    static let spaces: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    static let lineTerminators: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

    /// The scalars outside sorted ranges.
    static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var gaps: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        for range in ranges {
            if start < range.lowerBound { gaps.append(start...range.lowerBound - 1) }
            start = range.upperBound + 1
        }
        return gaps + [start...0x10FFFF]
    }

    /// The scalars as ranges.
    var ranges: [ClosedRange<UInt32>] {
        switch self {
        case .scalar(let scalar): [scalar...scalar]
        case .ranges(let ranges): ranges
        }
    }
}
