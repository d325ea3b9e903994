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
    /// - Returns: Whether a part of the text matches.
    func search(_ text: UnsafeBufferPointer<UInt8>, maximumSteps: Int) -> RegularExpression.Outcome {
        let last = text.count - bytes.count
        guard last >= 0 else { return .notFound }
        if isAtStart, isAtEnd, last > 0 { return .notFound }
        var steps = 0
        var place = isAtEnd ? last : 0
        let end = isAtStart ? 0 : last
        while place <= end {
            var count = 0
            while count < bytes.count, text[place + count] == bytes[count] { count += 1 }
            if count == bytes.count { return .found }
            steps += count
            guard steps <= maximumSteps else { return .tooManySteps }
            place += 1
        }
        return .notFound
    }
}
