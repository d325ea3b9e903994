/// A pattern of nothing but characters, at the start or at the end of a text if anchored: most patterns are such.
struct PatternLiteral: Sendable {
    private let bytes: [UInt8]
    private let isAtStart: Bool
    private let isAtEnd: Bool

    /// Reads a compiled pattern; nil if it has choices, sets or characters beyond ASCII.
    init?(_ instructions: [PatternInstruction]) {
        var bytes: [UInt8] = []
        var (isAtStart, isAtEnd) = (false, false)
        var index = instructions.count - 1
        while true {
            let instruction = instructions[index]
            switch instruction.kind {
            case .match:
                (self.bytes, self.isAtStart, self.isAtEnd) = (bytes, isAtStart, isAtEnd)
                return
            case .scalar:
                guard instruction.operand < 128, !isAtEnd else { return nil }
                bytes.append(UInt8(instruction.operand))
            case .assertion:
                switch PatternAssertion(rawValue: instruction.operand) {
                case .start where bytes.isEmpty && !isAtEnd: isAtStart = true
                case .end: isAtEnd = true
                default: return nil
                }
            case .jump: break
            case .set, .split: return nil
            }
            index = Int(instruction.next)
        }
    }

    /// Whether a text has the characters, in one pass over each possible place.
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - maximumSteps: The most comparisons.
    /// - Returns: Whether a part of the text matches, and the steps that it took: its comparisons, and one for eight places.
    func search(
        _ text: UnsafeBufferPointer<UInt8>, maximumSteps: Int
    ) -> (outcome: RegularExpression.Outcome, steps: Int) {
        let last = text.count - bytes.count
        guard last >= 0 else { return (.notFound, 0) }
        if isAtStart, isAtEnd, last > 0 { return (.notFound, 0) }
        var steps = 0
        let start = isAtEnd ? last : 0
        var place = start
        let end = isAtStart ? 0 : last
        while place <= end {
            var count = 0
            while count < bytes.count, text[place + count] == bytes[count] { count += 1 }
            steps += count
            if count == bytes.count { return (.found, steps + (place - start) >> 3) }
            guard steps <= maximumSteps else { return (.tooManySteps, steps) }
            place += 1
        }
        return (.notFound, steps + (place - start) >> 3)
    }
}
