/// Makes the instructions of a parsed regular expression, from its end to its start.
struct PatternCompiler {
    /// The instructions; the search begins with the last one.
    private(set) var instructions: [PatternInstruction] = []

    private let maximumSize: Int
    /// How many nodes were compiled, because an empty group can be repeated without an instruction.
    private var visits = 0

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    mutating func compile(_ node: PatternNode) throws(RegularExpressionError) {
        let match = try emit(PatternInstruction(.match))
        let start = try compile(node, then: match)
        // The entry is the last instruction, so that it needs no field of its own.
        _ = try emit(PatternInstruction(.jump, next: start))
    }

    /// Compiles a node that the instruction `next` follows, and returns its first instruction.
    private mutating func compile(
        _ node: PatternNode, then next: UInt16
    ) throws(RegularExpressionError) -> UInt16 {
        visits += 1
        guard visits <= 10 * maximumSize else { throw tooLarge }
        switch node {
        case .empty: return next
        case .scalar(let scalar): return try emit(PatternInstruction(.scalar, operand: scalar, next: next))
        case .set(let index): return try emit(PatternInstruction(.set, operand: UInt32(index), next: next))
        case .assertion(let assertion):
            return try emit(PatternInstruction(.assertion, operand: assertion.rawValue, next: next))
        case .sequence(let nodes):
            var entry = next
            for node in nodes.reversed() { entry = try compile(node, then: entry) }
            return entry
        case .choice(let nodes):
            var entry: UInt16?
            for node in nodes.reversed() {
                let alternative = try compile(node, then: next)
                guard let other = entry else {
                    entry = alternative
                    continue
                }
                entry = try emit(PatternInstruction(.split, operand: UInt32(other), next: alternative))
            }
            return entry ?? next
        case .repetition(let node, let minimum, let maximum):
            return try compile(node, minimum, maximum, then: next)
        }
    }

    private mutating func compile(
        _ node: PatternNode, _ minimum: Int, _ maximum: Int?, then next: UInt16
    ) throws(RegularExpressionError) -> UInt16 {
        var entry = next
        if let maximum {
            for _ in minimum..<maximum {
                let body = try compile(node, then: entry)
                entry = try emit(PatternInstruction(.split, operand: UInt32(next), next: body))
            }
        } else {
            let loop = try emit(PatternInstruction(.split, operand: UInt32(next), next: next))
            let body = try compile(node, then: loop)
            instructions[Int(loop)] = PatternInstruction(.split, operand: UInt32(next), next: body)
            entry = loop
        }
        for _ in 0..<minimum { entry = try compile(node, then: entry) }
        return entry
    }

    private mutating func emit(_ instruction: PatternInstruction) throws(RegularExpressionError) -> UInt16 {
        guard instructions.count < maximumSize else { throw tooLarge }
        instructions.append(instruction)
        return UInt16(instructions.count - 1)
    }

    private var tooLarge: RegularExpressionError {
        RegularExpressionError("the pattern needs more than \(maximumSize) instructions")
    }
}
