/// One search, with all states of the automaton after the text so far.
struct PatternMatcher {
    private let instructions: [PatternInstruction]
    private let sets: [ScalarSet]
    private let entry: Int
    /// The scalar with which each match begins; nil if there are several, or if a match may be empty.
    private let first: UInt32?
    private let maximumSteps: Int
    private(set) var steps = 1

    /// The place at which each instruction was last reached, so that each is reached once per place.
    private var marks: [Int]
    private var place = 1
    /// The instructions after those that accept the next scalar.
    private var states: [Int] = []
    private var former: [Int] = []
    /// The instructions that a split has postponed.
    private var open: [Int] = []
    /// The scalars around the place; nil at the start and at the end.
    private var (before, after): (UInt32?, UInt32?)

    init(_ program: PatternProgram, maximumSteps: Int) {
        (instructions, sets, entry) = (program.instructions, program.sets, program.entry)
        self.maximumSteps = maximumSteps
        first = if case .scalar(let scalar, _) = program.instructions[entry] { scalar } else { nil }
        marks = Array(repeating: 0, count: instructions.count)
    }

    mutating func search(_ text: String) -> RegularExpression.Outcome {
        var scalars = text.unicodeScalars.makeIterator()
        after = scalars.next()?.value
        while true {
            if first == nil || first == after, reach(entry) { return .found }
            guard let scalar = after else { return .notFound }
            if steps > maximumSteps { return .tooManySteps }
            (before, after) = (scalar, scalars.next()?.value)
            place += 1
            steps += 1
            swap(&states, &former)
            while let state = former.popLast() { if reach(state) { return .found } }
        }
    }

    /// Adds an instruction, or the instructions that it leads to without a scalar.
    /// - Returns: Whether one of them is the end of the pattern.
    private mutating func reach(_ first: Int) -> Bool {
        var index = first
        while true {
            if marks[index] != place {
                marks[index] = place
                steps += 1
                switch instructions[index] {
                case .scalar(let scalar, let next): if scalar == after { states.append(next) }
                case .set(let set, let next):
                    steps += sets[set].steps
                    if let after, sets[set].contains(after) { states.append(next) }
                case .split(let one, let other):
                    open.append(other)
                    index = one
                    continue
                case .assertion(let assertion, let next):
                    if holds(assertion) {
                        index = next
                        continue
                    }
                case .match: return true
                }
            }
            guard let next = open.popLast() else { return false }
            index = next
        }
    }

    private func holds(_ assertion: PatternAssertion) -> Bool {
        switch assertion {
        case .start: before == nil
        case .end: after == nil
        case .wordBoundary: isWord(before) != isWord(after)
        case .noWordBoundary: isWord(before) == isWord(after)
        }
    }

    private func isWord(_ scalar: UInt32?) -> Bool {
        scalar.map { scalar in ScalarSet.words.contains { $0.contains(scalar) } } ?? false
    }
}
