/// An instruction of a compiled regular expression.
enum PatternInstruction: Sendable {
    case scalar(UInt32, next: Int)
    /// Accepts a scalar of the set with an index.
    case set(Int, next: Int)
    /// Continues at both instructions.
    case split(Int, Int)
    /// Continues if the assertion holds.
    case assertion(PatternAssertion, next: Int)
    case match
}

/// The instructions of a regular expression, a nondeterministic automaton that is built from its end to its start.
struct PatternProgram: Sendable {
    private(set) var instructions: [PatternInstruction] = [.match]
    private(set) var sets: [ScalarSet] = []
    /// The instruction at which a match begins.
    private(set) var entry = 0

    private let maximumSize: Int
    /// The number of compiled nodes, because an empty group can be repeated without an instruction.
    private var visits = 0

    init(_ node: PatternNode, maximumSize: Int) throws(RegularExpressionError) {
        self.maximumSize = maximumSize
        entry = try compile(node, then: 0)
    }

    /// Compiles a node before the instruction `next`, and returns its first instruction.
    private mutating func compile(_ node: PatternNode, then next: Int) throws(RegularExpressionError) -> Int {
        visits += 1
        guard visits <= 10 * maximumSize else { throw tooLarge }
        var entry = next
        switch node {
        case .scalar(let scalar): entry = try emit(.scalar(scalar, next: next))
        case .set(let set):
            sets.append(set)
            entry = try emit(.set(sets.count - 1, next: next))
        case .assertion(let assertion): entry = try emit(.assertion(assertion, next: next))
        case .sequence(let nodes):
            for node in nodes.reversed() { entry = try compile(node, then: entry) }
        case .choice(let nodes):
            entry = try compile(nodes[nodes.count - 1], then: next)
            for node in nodes.dropLast() { entry = try emit(.split(try compile(node, then: next), entry)) }
        case .repetition(let node, let minimum, let maximum):
            if let maximum {
                for _ in minimum..<maximum { entry = try emit(.split(try compile(node, then: entry), next)) }
            } else {
                entry = try emit(.split(next, next))
                instructions[entry] = .split(try compile(node, then: entry), next)
            }
            for _ in 0..<minimum { entry = try compile(node, then: entry) }
        }
        return entry
    }

    private mutating func emit(_ instruction: PatternInstruction) throws(RegularExpressionError) -> Int {
        guard instructions.count < maximumSize else { throw tooLarge }
        instructions.append(instruction)
        return instructions.count - 1
    }

    private var tooLarge: RegularExpressionError {
        RegularExpressionError("the pattern needs more than \(maximumSize) instructions")
    }
}
