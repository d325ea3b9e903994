/// Searches for regular expressions by backtracking, as JavaScript's specification defines it, to check the SDK's automaton.
///
/// It shares no code with the SDK and takes no short cut. Characters are Unicode scalars.
public final class PatternOracle {
    private indirect enum Node {
        case set([ClosedRange<UInt32>], isNegated: Bool)
        /// `^`, `$`, `b` or `B`.
        case assertion(Unicode.Scalar)
        case sequence([Node])
        case choice([Node])
        case repetition(Node, minimum: Int, maximum: Int?)
    }

    private static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    private static let words: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    private static let spaces: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    private static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]

    private let pattern: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var place = 0
    private var text: [Unicode.Scalar] = []
    private var steps = 0
    private var depth = 0

    private init(_ pattern: String, ignoresCase: Bool) {
        (self.pattern, self.ignoresCase) = (Array(pattern.unicodeScalars), ignoresCase)
    }

    /// Searches a text.
    /// - Parameters:
    ///   - text: The text.
    ///   - pattern: The pattern.
    ///   - ignoresCase: Whether letters match in both cases; then pattern and text must be ASCII.
    ///   - maximumSteps: The most parts of the pattern that are tried.
    /// - Returns: Whether a part of the text matches; nil if the pattern has a part that the oracle does not know, or if the
    ///   search takes too many steps.
    public static func search(
        _ text: String, for pattern: String, ignoresCase: Bool = false, maximumSteps: Int = 20_000
    ) -> Bool? {
        let oracle = PatternOracle(pattern, ignoresCase: ignoresCase)
        oracle.text = Array(text.unicodeScalars)
        if ignoresCase, !(oracle.text + oracle.pattern).allSatisfy(\.isASCII) { return nil }
        guard let node = oracle.choice(), oracle.place == oracle.pattern.count else { return nil }
        oracle.steps = maximumSteps
        for start in 0...oracle.text.count {
            let isFound = oracle.match(node, at: start) { _ in true }
            if oracle.isExhausted { return nil }
            if isFound { return true }
        }
        return false
    }

    // MARK: Reading

    private func choice() -> Node? {
        // A deep pattern would overflow the stack of this recursive reader.
        depth += 1
        defer { depth -= 1 }
        guard depth < 30 else { return nil }
        var alternatives: [Node] = []
        repeat {
            var nodes: [Node] = []
            while let next = peek, next != "|", next != ")" {
                guard let term = term() else { return nil }
                nodes.append(term)
            }
            alternatives.append(.sequence(nodes))
        } while take("|")
        return .choice(alternatives)
    }

    private func term() -> Node? {
        if take("^") { return .assertion("^") }
        if take("$") { return .assertion("$") }
        if take("\\b") { return .assertion("b") }
        if take("\\B") { return .assertion("B") }
        guard let atom = atom() else { return nil }
        var bounds: (Int, Int?)?
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if take("{") {
            guard let minimum = number() else { return nil }
            var maximum: Int? = minimum
            if take(",") { maximum = number() }
            guard take("}"), maximum ?? minimum >= minimum else { return nil }
            bounds = (minimum, maximum)
        }
        guard let (minimum, maximum) = bounds else { return atom }
        // Lazy or not makes no difference to whether there is a match.
        _ = take("?")
        return .repetition(atom, minimum: minimum, maximum: maximum)
    }

    private func atom() -> Node? {
        if take("(") {
            if take("?"), !take(":") { return nil }
            guard let node = choice(), take(")") else { return nil }
            return node
        }
        if take("[") { return characterClass() }
        if take(".") { return .set(Self.lineEnds, isNegated: true) }
        guard let next = peek, !"*+?{})]".unicodeScalars.contains(next), let ranges = item() else { return nil }
        return .set(ranges, isNegated: false)
    }

    private func characterClass() -> Node? {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard let first = item() else { return nil }
            ranges += first
            guard peek == "-", place + 1 < pattern.count, pattern[place + 1] != "]" else { continue }
            place += 1
            guard let last = item(), first.count == 1, last.count == 1, first[0].count == 1, last[0].count == 1,
                first[0].lowerBound <= last[0].lowerBound
            else { return nil }
            ranges.append(first[0].lowerBound...last[0].lowerBound)
        }
        return .set(ranges, isNegated: isNegated)
    }

    /// Reads a character or an escape.
    private func item() -> [ClosedRange<UInt32>]? {
        guard let scalar = peek else { return nil }
        place += 1
        guard scalar == "\\" else { return [scalar.value...scalar.value] }
        guard let escaped = peek else { return nil }
        place += 1
        switch escaped {
        case "d": return Self.digits
        case "D": return Self.complement(Self.digits)
        case "w": return Self.words
        case "W": return Self.complement(Self.words)
        case "s": return Self.spaces
        case "S": return Self.complement(Self.spaces)
        default:
            let isPunctuation = escaped.isASCII && !Self.words.contains { $0.contains(escaped.value) }
            return isPunctuation ? [escaped.value...escaped.value] : nil
        }
    }

    private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        let starts = [0] + ranges.map { $0.upperBound + 1 }
        let ends = ranges.map(\.lowerBound) + [0x11_0000]
        return zip(starts, ends).compactMap { $0 < $1 ? $0...($1 - 1) : nil }
    }

    private func number() -> Int? {
        var digits = ""
        while let digit = peek, ("0"..."9").contains(digit), digits.count < 6 {
            digits.unicodeScalars.append(digit)
            place += 1
        }
        return Int(digits)
    }

    private var peek: Unicode.Scalar? { place < pattern.count ? pattern[place] : nil }

    private func take(_ text: String) -> Bool {
        guard pattern[place...].starts(with: text.unicodeScalars) else { return false }
        place += text.unicodeScalars.count
        return true
    }

    // MARK: Matching

    private var isExhausted: Bool { steps < 0 }

    /// Tries a part of the pattern at a place, and what follows it at each place at which the part can end.
    /// - Returns: Whether all match; true as soon as the steps are used up.
    private func match(_ node: Node, at index: Int, then next: (Int) -> Bool) -> Bool {
        steps -= 1
        depth += 1
        defer { depth -= 1 }
        // Each level of the search is one of the stack.
        if depth > 400 { steps = -1 }
        if isExhausted { return true }
        switch node {
        case .set(let ranges, let isNegated):
            guard index < text.count, holds(text[index], ranges) != isNegated else { return false }
            return next(index + 1)
        case .assertion(let assertion): return isTrue(assertion, at: index) && next(index)
        case .sequence(let nodes):
            guard let first = nodes.first else { return next(index) }
            return match(first, at: index) { match(.sequence(Array(nodes.dropFirst())), at: $0, then: next) }
        case .choice(let nodes): return nodes.contains { match($0, at: index, then: next) }
        case .repetition(let body, let minimum, let maximum):
            if maximum == 0 { return next(index) }
            let isRepeated = match(body, at: index) { end in
                // An iteration that is not required and consumes nothing is none.
                if minimum == 0, end == index { return false }
                let rest = Node.repetition(body, minimum: max(0, minimum - 1), maximum: maximum.map { $0 - 1 })
                return match(rest, at: end, then: next)
            }
            return isRepeated || minimum == 0 && next(index)
        }
    }

    private func holds(_ scalar: Unicode.Scalar, _ ranges: [ClosedRange<UInt32>]) -> Bool {
        let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        let cases = ignoresCase && isLetter ? [scalar.value, scalar.value ^ 0x20] : [scalar.value]
        return cases.contains { value in ranges.contains { $0.contains(value) } }
    }

    private func isTrue(_ assertion: Unicode.Scalar, at index: Int) -> Bool {
        switch assertion {
        case "^": index == 0
        case "$": index == text.count
        case "b": isWord(index - 1) != isWord(index)
        default: isWord(index - 1) == isWord(index)
        }
    }

    private func isWord(_ index: Int) -> Bool {
        text.indices.contains(index) && Self.words.contains { $0.contains(text[index].value) }
    }
}
