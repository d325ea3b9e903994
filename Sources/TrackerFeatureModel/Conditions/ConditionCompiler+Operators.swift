extension ConditionCompiler {
    /// Compiles an operator.
    mutating func operation(_ name: String, _ operand: JSONValue, at path: Path, depth: Int) -> ValueTest {
        known(name, operand, at: path, depth: depth) ?? unusable("unknown operator \(name.excerpt)", at: path)
    }

    /// Compiles an operator; nil if the name is unknown.
    mutating func known(_ name: String, _ operand: JSONValue, at path: Path, depth: Int) -> ValueTest? {
        switch name {
        case "$eq": strict(operand, at: path)
        case "$ne": .not(strict(operand, at: path))
        case "$lt": order(.less, operand, at: path)
        case "$lte": order(.lessOrEqual, operand, at: path)
        case "$gt": order(.greater, operand, at: path)
        case "$gte": order(.greaterOrEqual, operand, at: path)
        case "$exists": operand.isTruthy ? .not(.null) : .null
        case "$in": member(of: operand, at: path)
        case "$nin": .not(member(of: operand, isNegated: true, at: path))
        case "$ini": member(of: operand, ignoresCase: true, at: path)
        case "$nini": .not(member(of: operand, ignoresCase: true, isNegated: true, at: path))
        case "$inGroup": member(ofSegment: operand, at: path)
        case "$notInGroup": .not(member(ofSegment: operand, at: path))
        case "$all": each(operand, at: path, depth: depth)
        case "$alli": each(operand, ignoresCase: true, at: path, depth: depth)
        case "$elemMatch": element(operand, at: path, depth: depth)
        case "$size": .size(value(operand, at: path, depth: depth))
        case "$type": type(operand, at: path)
        case "$not": .not(value(operand, at: path, depth: depth))
        case "$regex": pattern(operand, isFound: true, at: path)
        case "$regexi": pattern(operand, ignoresCase: true, isFound: true, at: path)
        case "$notRegex": pattern(operand, isFound: false, at: path)
        case "$notRegexi": pattern(operand, ignoresCase: true, isFound: false, at: path)
        case "$before": instant(.less, operand, at: path)
        case "$after": instant(.greater, operand, at: path)
        case "$cidr": network(operand, at: path)
        case "$veq": version(.equal, operand, at: path)
        case "$vne": .not(version(.equal, operand, at: path))
        case "$vlt": version(.less, operand, at: path)
        case "$vlte": version(.lessOrEqual, operand, at: path)
        case "$vgt": version(.greater, operand, at: path)
        case "$vgte": version(.greaterOrEqual, operand, at: path)
        default: nil
        }
    }

    private mutating func strict(_ operand: JSONValue, at path: Path) -> ValueTest {
        exact(operand, at: path) ? .strict(operand) : .never
    }

    private mutating func order(_ comparison: Comparison, _ operand: JSONValue, at path: Path) -> ValueTest {
        switch operand {
        case .array, .object: unusable("expected a text or a number", at: path)
        case .null, .bool, .int, .double, .string: .order(comparison, operand)
        }
    }

    private mutating func member(
        of operand: JSONValue, ignoresCase: Bool = false, isNegated: Bool = false, at path: Path
    ) -> ValueTest {
        guard case .array(let members) = operand else { return unusable("expected a list", at: path) }
        if members.isEmpty { warnOfEmptyList(holds: isNegated, at: path) }
        for (index, member) in members.enumerated() where !exact(member, at: .element(path, index)) { break }
        return .member(ValueSet(members, ignoresCase: ignoresCase))
    }

    private mutating func member(ofSegment operand: JSONValue, at path: Path) -> ValueTest {
        guard case .string(let name) = operand else { return unusable("expected the name of a segment", at: path) }
        return .member(segment(name, at: path))
    }

    private mutating func each(
        _ operand: JSONValue, ignoresCase: Bool = false, at path: Path, depth: Int
    ) -> ValueTest {
        guard case .array(let elements) = operand else { return unusable("expected a list", at: path) }
        if elements.isEmpty { warn("an empty list holds for each list", at: path) }
        var tests: [ValueTest] = []
        for (index, element) in elements.enumerated() {
            tests.append(value(element, at: .element(path, index), depth: depth + 1, ignoresCase: ignoresCase))
        }
        return .eachHasElement(tests)
    }

    private mutating func element(_ operand: JSONValue, at path: Path, depth: Int) -> ValueTest {
        guard case .object(let json) = operand else {
            return unusable("expected a condition, which is an object", at: path)
        }
        return json.hasOperators
            ? .element(value(operand, at: path, depth: depth))
            : .elementObject(elements(json, at: path, depth: depth))
    }

    private mutating func type(_ operand: JSONValue, at path: Path) -> ValueTest {
        guard let type = operand.string.flatMap(ValueType.init) else {
            let names = ValueType.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            return unusable("expected one of \(names)", at: path)
        }
        return .type(type)
    }

    private mutating func pattern(
        _ operand: JSONValue, ignoresCase: Bool = false, isFound: Bool, at path: Path
    ) -> ValueTest {
        guard case .string(let pattern) = operand else { return unusable("expected a regular expression", at: path) }
        do throws(RegularExpressionError) {
            return .pattern(try RegularExpression(pattern, ignoresCase: ignoresCase), isFound: isFound)
        } catch {
            return unusable("the regular expression cannot be used: \(error)", at: path)
        }
    }

    private mutating func instant(_ comparison: Comparison, _ operand: JSONValue, at path: Path) -> ValueTest {
        guard case .string(let text) = operand else { return unusable("expected a moment as a text", at: path) }
        guard let instant = Instant(text) else { return unusable(Instant.fault(of: text), at: path) }
        return .instant(comparison, instant)
    }

    private mutating func network(_ operand: JSONValue, at path: Path) -> ValueTest {
        let texts = operand.array ?? [operand]
        if texts.isEmpty { warnOfEmptyList(holds: false, at: path) }
        var networks: [Network] = []
        for text in texts {
            guard let network = text.string.flatMap(Network.init) else {
                let found = text.string?.excerpt ?? text.kind
                return unusable("expected a network, as '10.0.0.0/8' or '2001:db8::/32', found \(found)", at: path)
            }
            networks.append(network)
        }
        return .network(networks)
    }

    private mutating func version(_ comparison: Comparison, _ operand: JSONValue, at path: Path) -> ValueTest {
        guard let version = Version(operand) else { return unusable("expected a version, as '1.2.3'", at: path) }
        return .version(comparison, version)
    }

    /// Reports a part that cannot be used, and returns a test that always fails.
    private mutating func unusable(_ reason: String, at path: Path) -> ValueTest {
        problem(reason, at: path)
        return .never
    }
}
