/// A compiled regular expression, and what is known of the start of its matches.
struct PatternProgram: Sendable {
    /// The instructions; the last one is the entry.
    let instructions: [PatternInstruction]
    let sets: [ScalarSet]

    /// The ASCII characters with which a match may begin.
    let first: ASCIISet

    /// Whether a match may begin with a scalar beyond ASCII.
    let mayStartBeyondASCII: Bool

    /// Whether a match may have no characters, so that ``first`` does not apply.
    let mayBeEmpty: Bool

    /// Whether all matches begin at the start of the text.
    let isAnchored: Bool

    init(_ instructions: [PatternInstruction], sets: [ScalarSet]) {
        self.instructions = instructions
        self.sets = sets
        var first = ASCIISet()
        var (mayStartBeyondASCII, mayBeEmpty) = (false, false)
        for instruction in Self.starts(of: instructions, passing: { _ in true }) {
            switch instruction.kind {
            case .match: mayBeEmpty = true
            case .scalar where instruction.operand < 128: first.insert(UInt8(instruction.operand))
            case .scalar: mayStartBeyondASCII = true
            case .set:
                let set = sets[Int(instruction.operand)]
                first.formUnion(set.ascii)
                if set.mayHoldBeyondASCII { mayStartBeyondASCII = true }
            case .split, .jump, .assertion: break
            }
        }
        self.first = first
        self.mayStartBeyondASCII = mayStartBeyondASCII
        self.mayBeEmpty = mayBeEmpty
        isAnchored = Self.starts(of: instructions, passing: { $0 != .start }).isEmpty
    }

    /// The instructions at which the search begins, if the given assertions hold.
    private static func starts(
        of instructions: [PatternInstruction], passing isPassed: (PatternAssertion?) -> Bool
    ) -> [PatternInstruction] {
        var found: [PatternInstruction] = []
        var seen = Array(repeating: false, count: instructions.count)
        var open = [instructions.count - 1]
        while let index = open.popLast() {
            if seen[index] { continue }
            seen[index] = true
            let instruction = instructions[index]
            switch instruction.kind {
            case .split: open += [Int(instruction.operand), Int(instruction.next)]
            case .jump: open.append(Int(instruction.next))
            case .assertion:
                if isPassed(PatternAssertion(rawValue: instruction.operand)) { open.append(Int(instruction.next)) }
            case .scalar, .set, .match: found.append(instruction)
            }
        }
        return found
    }
}
