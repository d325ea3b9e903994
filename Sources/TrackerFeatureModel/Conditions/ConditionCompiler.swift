/// Compiles a condition's JSON into tests, and collects its problems.
struct ConditionCompiler {
    /// The path of a part within the condition. A closure would be compiled anew for each of its callers.
    indirect enum Path {
        case root
        case member(Path, String)
        case element(Path, Int)

        /// The path as text, such as ".email.$regex", on one line and bounded at any depth.
        var text: String {
            switch self {
            case .root: ""
            case .member(let parent, let name): bounded("\(parent.text).\(name.oneLine(most: 60))")
            case .element(let parent, let index): "\(parent.text)[\(index)]"
            }
        }
    }

    /// The maximum nesting depth of lists and objects.
    static let maximumDepth = 128
    /// The maximum number of problems that are kept.
    private static let maximumProblems = 100
    /// The maximum length of a problem's path, in Unicode scalars.
    private static let maximumPathLength = 300

    private let segments: Segments
    /// The names of units on this level.
    private var units: Set<String>
    /// The first problems, and the first fatal one even if it comes later.
    private(set) var problems: [Condition.Problem] = []
    /// The first parts that may be mistakes.
    private(set) var warnings: [Condition.Problem] = []
    /// Whether a problem is fatal.
    private(set) var isFatal = false
    /// The lists of the segments in the condition.
    private(set) var lists: [ExactText: JSONValue] = [:]

    init(segments: Segments, units: Set<String>) {
        (self.segments, self.units) = (segments, units)
    }

    mutating func object(_ json: JSONObject) -> ObjectTest {
        object(json, at: .root, depth: 1)
    }

    private mutating func object(_ json: JSONObject, at parent: Path, depth: Int) -> ObjectTest {
        guard isWithinDepth(depth, at: parent) else { return .never }
        if json.isEmpty { warn("an empty condition holds for everything", at: parent) }
        var tests: [ObjectTest] = []
        for (name, operand) in json.members {
            let path = Path.member(parent, name)
            switch name {
            case "$and": tests += objects(operand, at: path, depth: depth)
            // An empty list counts as true for $or; $nor is its negation.
            case "$or": tests.append(.any(objects(operand, at: path, depth: depth)))
            case "$nor":
                let others = objects(operand, isNegated: true, at: path, depth: depth)
                for (index, test) in others.enumerated() {
                    tests.append(.not(test, name, operand.array?[index] ?? operand))
                }
                if others.isEmpty { tests.append(.not(.all([]), name, operand)) }
            case "$not": tests.append(.not(nested(operand, at: path, depth: depth), name, operand))
            default:
                if let reason = fault(ofAttribute: name, operand) {
                    problem(reason, at: path)
                } else {
                    tests += clauses(AttributePath(name), operand, at: path, depth: depth + 1)
                }
            }
        }
        return tests.count == 1 ? tests[0] : .all(tests)
    }

    /// Compiles the condition on the elements of a list, which are objects.
    mutating func elements(_ json: JSONObject, at path: Path, depth: Int) -> ObjectTest {
        let units = units
        defer { self.units = units }
        self.units = []
        return object(json, at: path, depth: depth)
    }

    /// Returns a clause for each operator on an attribute.
    private mutating func clauses(
        _ attribute: AttributePath, _ json: JSONValue, at path: Path, depth: Int
    ) -> [ObjectTest] {
        guard let object = json.object, object.hasOperators else {
            return [.clause(Clause(attribute, "$eq", json, value(json, at: path, depth: depth)))]
        }
        guard isWithinDepth(depth, at: path) else { return [.never] }
        return object.members.map { name, operand in
            if units.contains(attribute.text) { checkUnit(name, operand, at: .member(path, name)) }
            let test = operation(name, operand, at: .member(path, name), depth: depth + 1)
            return .clause(Clause(attribute, name, operand, test))
        }
    }

    /// Warns about numbers that are compared with the id of a unit.
    private mutating func checkUnit(_ name: String, _ operand: JSONValue, at path: Path) {
        let others: [JSONValue] =
            switch name {
            case "$eq", "$ne": [operand]
            case "$in", "$nin", "$ini", "$nini": operand.array ?? []
            case "$inGroup", "$notInGroup": operand.string.flatMap { segments.json[$0]?.array } ?? []
            default: []
            }
        guard let number = others.first(where: { $0.double != nil }) else { return }
        warn("the id of a unit is a text and equals no number; write \"\(number)\" in the place of \(number)", at: path)
    }

    /// Returns why a name with an operand is not a condition on an attribute; nil if it is one.
    ///
    /// An attribute's name may begin with "$" if a condition on it follows. Anything else is a misplaced operator.
    private func fault(ofAttribute name: String, _ operand: JSONValue) -> String? {
        guard name.utf8.first == UInt8(ascii: "$") else { return nil }
        var other = self
        guard other.known(name, .null, at: .root, depth: 1) == nil else {
            return "expected an attribute, found the operator \(name.excerpt)"
        }
        if case .object = operand { return nil }
        return "unknown operator \(name.excerpt)"
    }

    /// Compiles the conditions in a list.
    private mutating func objects(
        _ operand: JSONValue, isNegated: Bool = false, at path: Path, depth: Int
    ) -> [ObjectTest] {
        guard case .array(let elements) = operand else {
            problem("expected a list of conditions", at: path)
            return []
        }
        if elements.isEmpty { warnOfEmptyList(holds: !isNegated, at: path) }
        var tests: [ObjectTest] = []
        for (index, element) in elements.enumerated() {
            tests.append(nested(element, at: .element(path, index), depth: depth + 1))
        }
        return tests
    }

    private mutating func nested(_ operand: JSONValue, at path: Path, depth: Int) -> ObjectTest {
        guard case .object(let json) = operand else {
            problem("expected a condition, which is an object", at: path)
            return .never
        }
        return object(json, at: path, depth: depth + 1)
    }

    /// Compiles the operand of an attribute; if `ignoresCase`, a text is compared in lower case.
    mutating func value(_ json: JSONValue, at path: Path, depth: Int, ignoresCase: Bool = false) -> ValueTest {
        guard isWithinDepth(depth, at: path) else { return .never }
        switch json {
        case .string(let text): return ignoresCase ? .foldedText(text.lowercased()) : .text(text)
        case .int, .double: return exact(json, at: path) ? .number(json) : .never
        case .bool(let truth): return .truth(truth)
        case .null: return .null
        case .array: return .structure(json)
        case .object(let object):
            guard object.hasOperators else { return .structure(json) }
            var tests: [ValueTest] = []
            for (name, operand) in object.members {
                tests.append(operation(name, operand, at: .member(path, name), depth: depth + 1))
            }
            return tests.count == 1 ? tests[0] : .all(tests)
        }
    }

    /// Whether a value is exact, and not a number beyond 64 bits.
    mutating func exact(_ json: JSONValue, at path: Path) -> Bool {
        guard case .double(let number) = json, number.magnitude >= 0x1p63 else { return true }
        problem("the number is beyond 64 bits and would equal others; write it as a text", at: path)
        return false
    }

    private mutating func isWithinDepth(_ depth: Int, at path: Path) -> Bool {
        if depth > Self.maximumDepth { problem("nested deeper than \(Self.maximumDepth) levels", at: path) }
        return depth <= Self.maximumDepth
    }

    fileprivate static func bounded(_ path: String) -> String {
        path.utf8.count > maximumPathLength ? path.oneLine(most: maximumPathLength) : path
    }

    /// Reports a part that cannot be used.
    mutating func problem(_ reason: String, at path: Path, isFatal: Bool = true) {
        guard problems.count < Self.maximumProblems || (isFatal && !self.isFatal) else { return }
        problems.append(Condition.Problem(path: Self.bounded(path.text), reason: reason, isFatal: isFatal))
        if isFatal { self.isFatal = true }
    }

    /// Reports a part that may be a mistake.
    mutating func warn(_ reason: String, at path: Path) {
        guard warnings.count < Self.maximumProblems else { return }
        warnings.append(Condition.Problem(path: Self.bounded(path.text), reason: reason, isFatal: false))
    }

    mutating func warnOfEmptyList(holds: Bool, at path: Path) {
        warn("an empty list holds for \(holds ? "everything" : "nothing")", at: path)
    }

    /// The values of a segment; empty if there is no such segment.
    mutating func segment(_ name: String, at path: Path) -> ValueSet {
        guard let set = segments[name] else {
            problem("there is no segment \(name.excerpt)", at: path, isFatal: false)
            return ValueSet([])
        }
        lists[exactly: name] = segments.json[name]
        if segments.json[name]?.array?.isEmpty ?? false { warn("the segment \(name.excerpt) is empty", at: path) }
        return set
    }
}

extension JSONObject {
    /// Whether the object is not empty and all its names begin with "$".
    var hasOperators: Bool { !isEmpty && members.allSatisfy { $0.name.utf8.first == UInt8(ascii: "$") } }
}
