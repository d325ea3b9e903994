extension Condition {
    /// The first part that does not hold, for explanations. The compiled tests decide, and the condition's JSON, to which they
    /// correspond part by part, gives the names.
    /// - Parameters:
    ///   - attribute: The value of an attribute by its whole name; nil if it is missing.
    ///   - budget: The work that is left.
    /// - Returns: The part; nil if the condition holds, or if the budget is used up.
    package func failure(_ attribute: (String) -> JSONValue?, _ budget: ReadBudget) -> FailedClause? {
        if problems.contains(where: \.isFatal) {
            let problem = problems.first(where: \.isFatal)
            return FailedClause(
                path: problem?.path ?? "", "unusable", .string(problem?.reason ?? ""), value: .bool(false))
        }
        let clause = test.failure(in: json, attribute, budget)
        return budget.isExhausted ? nil : clause
    }
}

extension ObjectTest {
    /// The most branches of one "$or" that are explained.
    private static let maxBranches = 20

    fileprivate func failure(
        in json: JSONObject, _ attribute: (String) -> JSONValue?, _ budget: ReadBudget
    ) -> FailedClause? {
        for (index, (name, operand)) in json.members.enumerated() {
            let test = part(index, of: json.count)
            guard !test.matches(attribute, budget) else { continue }
            switch (name, test) {
            case ("$and", .all(let tests)):
                return Self.failures(of: tests, operand, attribute, budget, most: 1).first
            case ("$or", .any(let tests)):
                let branches = Self.failures(of: tests, operand, attribute, budget, most: Self.maxBranches)
                return FailedClause(path: name, name, operand, branches: branches)
            case ("$nor", .not(.any(let tests))):
                let place = tests.firstIndex { $0.matches(attribute, budget) }
                return FailedClause(path: name, name, place.flatMap { operand.array?[$0] } ?? operand)
            case (_, .attribute(let test)): return test.failure(name, operand, attribute, budget)
            default: return FailedClause(path: name, name, operand)
            }
        }
        return nil
    }

    /// The test of a member of a condition with some members; one alone has no list.
    private func part(_ index: Int, of count: Int) -> ObjectTest {
        if count > 1, case .all(let tests) = self, index < tests.count { tests[index] } else { self }
    }

    private static func failures(
        of tests: [ObjectTest], _ operand: JSONValue, _ attribute: (String) -> JSONValue?, _ budget: ReadBudget,
        most: Int
    ) -> [FailedClause] {
        var failures: [FailedClause] = []
        for (test, json) in zip(tests, operand.array ?? []) where failures.count < most {
            guard let json = json.object, !test.matches(attribute, budget) else { continue }
            if let failure = test.failure(in: json, attribute, budget) { failures.append(failure) }
        }
        return failures
    }
}

extension AttributeTest {
    fileprivate func failure(
        _ name: String, _ operand: JSONValue, _ attribute: (String) -> JSONValue?, _ budget: ReadBudget
    ) -> FailedClause {
        test.failure(name, operand, path.value(attribute), budget)
    }
}

extension ValueTest {
    fileprivate func failure(
        _ name: String, _ operand: JSONValue, _ value: JSONValue, _ budget: ReadBudget
    ) -> FailedClause {
        guard let json = operand.object, json.hasOperators else {
            return FailedClause(path: name, "$eq", operand, value: value)
        }
        let failing = json.members.enumerated().first { index, _ in
            !part(index, of: json.count).matches(value, budget)
        }
        guard let (_, member) = failing else { return FailedClause(path: name, "$eq", operand, value: value) }
        return FailedClause(path: name, member.name, member.value, value: value)
    }

    private func part(_ index: Int, of count: Int) -> ValueTest {
        if count > 1, case .all(let tests) = self, index < tests.count { tests[index] } else { self }
    }
}
