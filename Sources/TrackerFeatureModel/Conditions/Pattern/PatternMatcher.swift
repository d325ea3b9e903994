/// One search: all states of the automaton that the text so far leads to, in the caller's temporary memory.
struct PatternMatcher {
    private let instructions: UnsafePointer<PatternInstruction>
    private let sets: UnsafePointer<ScalarSet>?
    private let entry: Int
    private let text: UnsafeBufferPointer<UInt8>

    /// The scalars that were read when an instruction was last reached, so that each is reached once for a place.
    private let marks: UnsafeMutablePointer<UInt32>
    private let branches: UnsafeMutablePointer<UInt16>
    /// The instructions that may accept the next scalar, and those after it.
    private var states: UnsafeMutablePointer<UInt16>
    private var nextStates: UnsafeMutablePointer<UInt16>
    private var count = 0
    private var mark: UInt32 = 1
    private var steps = 0
    /// The bytes that were passed over because no match begins at them.
    private var passed = 0

    /// Searches UTF-8 for a match.
    /// - Returns: The outcome, and the steps that it took.
    static func search(
        _ text: UnsafeBufferPointer<UInt8>, for program: PatternProgram, maximumSteps: Int
    ) -> (outcome: RegularExpression.Outcome, steps: Int) {
        let size = program.instructions.count
        // Up to 1,024 bytes, a hundred instructions, are on the stack.
        return withUnsafeTemporaryAllocation(byteCount: size * 10, alignment: 4) { memory in
            program.instructions.withUnsafeBufferPointer { instructions in
                program.sets.withUnsafeBufferPointer { sets in
                    guard let start = memory.baseAddress, let first = instructions.baseAddress else {
                        return (.notFound, 0)
                    }
                    var matcher = PatternMatcher(
                        text, instructions: first, sets: sets.baseAddress, size: size, memory: start)
                    let outcome = matcher.search(program, maximumSteps)
                    return (outcome, matcher.steps + matcher.passed >> 3 + size >> 5)
                }
            }
        }
    }

    private init(
        _ text: UnsafeBufferPointer<UInt8>, instructions: UnsafePointer<PatternInstruction>,
        sets: UnsafePointer<ScalarSet>?, size: Int, memory: UnsafeMutableRawPointer
    ) {
        (self.text, self.instructions, self.sets, entry) = (text, instructions, sets, size - 1)
        marks = memory.bindMemory(to: UInt32.self, capacity: size)
        marks.initialize(repeating: 0, count: size)
        let lists = (memory + size * 4).bindMemory(to: UInt16.self, capacity: size * 3)
        (states, nextStates, branches) = (lists, lists + size, lists + size * 2)
    }

    private mutating func search(_ program: PatternProgram, _ maximumSteps: Int) -> RegularExpression.Outcome {
        var index = 0
        while true {
            if index == 0 || !program.isAnchored {
                if count == 0 && !program.mayBeEmpty {
                    let start = firstStart(from: index, program)
                    passed &+= start &- index
                    if start == text.count { return .notFound }
                    // What an assertion refused at the place before is to be tried again at this one.
                    if start != index { mark &+= 1 }
                    index = start
                }
                if mayStart(at: index, program) {
                    var found = count
                    if reach(entry, at: index, in: states, &found) { return .found }
                    count = found
                }
            } else if count == 0 {
                return .notFound
            }
            if index == text.count { return .notFound }
            if steps > maximumSteps { return .tooManySteps }
            let (scalar, end) = scalar(at: index)
            if advance(over: scalar, to: end) { return .found }
            index = end
        }
    }

    /// The first place from here on at which a match may begin.
    @inline(__always)
    private func firstStart(from start: Int, _ program: PatternProgram) -> Int {
        // An anchored pattern begins nowhere else, so the text is not read.
        if program.isAnchored { return mayStart(at: start, program) ? start : text.count }
        var index = start
        while index < text.count, !mayStart(at: index, program) { index &+= 1 }
        return index
    }

    @inline(__always)
    private func mayStart(at index: Int, _ program: PatternProgram) -> Bool {
        if program.mayBeEmpty { return true }
        guard index < text.count else { return false }
        let byte = text[index]
        return byte < 128 ? program.first.contains(byte) : program.mayStartBeyondASCII
    }

    /// Follows all states over a scalar.
    /// - Returns: Whether the text matches.
    @inline(__always)
    private mutating func advance(over scalar: UInt32, to end: Int) -> Bool {
        mark &+= 1
        var found = 0
        for place in 0..<count {
            let instruction = instructions[Int(states[place])]
            steps &+= 1
            let isAccepted =
                instruction.kind == .scalar
                ? instruction.operand == scalar : sets.unsafelyUnwrapped[Int(instruction.operand)].contains(scalar)
            if isAccepted, reach(Int(instruction.next), at: end, in: nextStates, &found) { return true }
        }
        swap(&states, &nextStates)
        count = found
        return false
    }

    /// Adds an instruction, or those that it leads to without a scalar.
    /// - Returns: Whether one of them is the end of the pattern.
    @inline(__always)
    private mutating func reach(
        _ first: Int, at index: Int, in list: UnsafeMutablePointer<UInt16>, _ count: inout Int
    ) -> Bool {
        var place = first
        var open = 0
        while true {
            var isLeaf = true
            if marks[place] != mark {
                marks[place] = mark
                steps &+= 1
                let instruction = instructions[place]
                switch instruction.kind {
                case .scalar, .set:
                    list[count] = UInt16(truncatingIfNeeded: place)
                    count &+= 1
                case .split:
                    // Each split is reached once for a place in the text, so there are fewer branches than instructions.
                    branches[open] = UInt16(truncatingIfNeeded: instruction.operand)
                    open &+= 1
                    isLeaf = false
                case .jump: isLeaf = false
                case .assertion: isLeaf = !holds(instruction.operand, at: index)
                case .match: return true
                }
                if !isLeaf { place = Int(instruction.next) }
            }
            if isLeaf {
                if open == 0 { return false }
                open &-= 1
                place = Int(branches[open])
            }
        }
    }

    private func holds(_ assertion: UInt32, at index: Int) -> Bool {
        switch PatternAssertion(rawValue: assertion) {
        case .start: index == 0
        case .end: index == text.count
        case .wordBoundary: isWord(index - 1) != isWord(index)
        case .noWordBoundary: isWord(index - 1) == isWord(index)
        case nil: false
        }
    }

    /// Whether a letter, digit or underscore stands at a place. All are ASCII, so a byte decides.
    private func isWord(_ index: Int) -> Bool {
        guard text.indices.contains(index) else { return false }
        switch text[index] {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: return true
        default: return false
        }
    }

    /// The scalar at a place, and the place after it. A string's bytes are valid UTF-8.
    @inline(__always)
    private func scalar(at index: Int) -> (scalar: UInt32, end: Int) {
        let lead = UInt32(text[index])
        if lead < 0x80 { return (lead, index &+ 1) }
        let second = UInt32(text[index &+ 1]) & 0x3F
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | second, index &+ 2) }
        let third = UInt32(text[index &+ 2]) & 0x3F
        if lead < 0xF0 { return ((lead & 0x0F) << 12 | second << 6 | third, index &+ 3) }
        let fourth = UInt32(text[index &+ 3]) & 0x3F
        return ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, index &+ 4)
    }
}
