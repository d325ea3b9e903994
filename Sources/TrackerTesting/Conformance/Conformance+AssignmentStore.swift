import FoundationEssentials
public import TrackerFeatures

extension Conformance {
    /// Checks a store of sticky assignments.
    ///
    /// The check uses units of its own, and removes them at the end.
    ///
    /// ```swift
    /// try await Conformance.check(RedisAssignments(redis, prefix: "conformance:"))
    /// ```
    /// - Parameter store: The store.
    /// - Throws: ``ConformanceError`` if it breaks a promise of `AssignmentStore`.
    public static func check(_ store: any AssignmentStore) async throws(ConformanceError) {
        var promises = Promises(of: "AssignmentStore", by: store)
        let checks = AssignmentChecks(store: store)
        await promises.check("saving assignments", checks.saving)
        await promises.check("saving many assignments", checks.many)
        await promises.check("replacing assignments", checks.replacing)
        await promises.check("storing assignments of similar units", checks.units)
        await promises.check("storing experiments and variants of any name", checks.names)
        await promises.check("forgetting a unit", checks.forgetting)
        await promises.check("removing what the check has stored", checks.removing)
        try promises.finish()
    }
}

/// The checks of one store, with units and experiments that no other check uses.
private struct AssignmentChecks {
    let store: any AssignmentStore
    let id = UUID().uuidString

    private func unit(_ name: String) -> ExperimentUnit { ExperimentUnit(name: "userId", id: "\(id)-\(name)") }

    private func experiment(_ name: String) -> String { "\(id)-\(name)" }

    private func date(after seconds: Double) -> Date {
        Date(milliseconds: 1_700_000_000_123).addingTimeInterval(seconds)
    }

    private func assignment(
        _ unit: ExperimentUnit, _ experiment: String, _ variant: String, after seconds: Double = 0,
        replaced: String? = nil
    ) -> StickyAssignment {
        StickyAssignment(
            unit: unit, experiment: self.experiment(experiment), variant: variant, date: date(after: seconds),
            replaced: replaced)
    }

    private func stored(_ unit: ExperimentUnit, _ experiment: String) async throws -> StickyAssignment? {
        try await store.assignments(of: unit).first { $0.experiment == self.experiment(experiment) }
    }

    func saving(_ promises: inout Promises) async throws {
        let unit = unit("saving")
        promises.expect(try await store.assignments(of: unit), is: [], "a unit without assignments has an empty list")
        try await store.save([])
        let two = [assignment(unit, "a", "blue"), assignment(unit, "b", "red", after: 0.001)]
        try await store.save(two)
        let stored = try await store.assignments(of: unit).sorted { $0.experiment < $1.experiment }
        promises.expect(
            stored.map(\.experiment), is: two.map(\.experiment),
            "all assignments that were saved in one call are stored")
        for (new, found) in zip(two, stored) {
            promises.expect(found.unit, is: unit, "an assignment has the unit that was asked for")
            promises.expect(found.variant, is: new.variant, "an assignment keeps its variant")
            promises.expect(
                found.date.milliseconds, is: new.date.milliseconds, "an assignment keeps its date to the millisecond")
            promises.expect(found.replaced, is: nil, "an assignment that is read replaces none")
        }
        try await store.save(two)
        let count = try await store.assignments(of: unit).count
        promises.expect(count, is: 2, "each experiment has one assignment of a unit")
    }

    private var manyUnits: [ExperimentUnit] { (0..<500).map { unit("many \($0)") } }

    func many(_ promises: inout Promises) async throws {
        try await store.save(manyUnits.map { assignment($0, "many", "blue") })
        var count = 0
        for unit in manyUnits { count += try await store.assignments(of: unit).count }
        promises.expect(count, is: 500, "all of 500 assignments are stored")
    }

    func replacing(_ promises: inout Promises) async throws {
        let unit = unit("replacing")
        let first = assignment(unit, "a", "blue")
        promises.expect(
            try await store.save([first]), is: [], "saving returns nothing in the place of a stored assignment")
        let others = try await store.save([assignment(unit, "a", "red", after: 1), assignment(unit, "b", "red")])
        promises.expect(
            try await stored(unit, "a")?.variant, is: "blue",
            "another variant that is stored stays, because it was first")
        promises.expect(others, is: [first], "saving returns the assignment that stays in the place of a given one")
        try await store.save([assignment(unit, "a", "red", after: 2, replaced: "green")])
        promises.expect(
            try await stored(unit, "a")?.variant, is: "blue",
            "a variant stays that is not the one that an assignment replaces")
        try await store.save([assignment(unit, "a", "red", after: 3, replaced: "blue")])
        let new = try await stored(unit, "a")
        promises.expect(new?.variant, is: "red", "an assignment takes the place of the variant that it replaces")
        promises.expect(new?.date, is: date(after: 3), "an assignment that replaces another has a date of its own")
    }

    func units(_ promises: inout Promises) async throws {
        // A store may mistake the two of a pair for one key.
        let pairs = [
            (unit("x"), unit("X")), (unit("\u{E9}"), unit("e\u{301}")), (unit("x "), unit("x")), (unit("*"), unit("?")),
            (ExperimentUnit(name: "userId", id: id), ExperimentUnit(name: "deviceId", id: id)),
            (ExperimentUnit(name: "a:b", id: id), ExperimentUnit(name: "a", id: "b:\(id)")),
        ]
        for (unit, other) in pairs {
            try await store.save([assignment(unit, "keys", "one"), assignment(other, "keys", "other")])
            let found = [try await store.assignments(of: unit), try await store.assignments(of: other)]
            promises.expect(
                found.map { $0.map(\.variant) }, is: [["one"], ["other"]],
                "names and ids of units are compared by their bytes, also of "
                    + "\(unit.name) '\(unit.id)' and \(other.name) '\(other.id)'")
            for unit in [unit, other] { _ = try await store.forget(unit) }
        }
    }

    func names(_ promises: inout Promises) async throws {
        let unit = unit("names")
        let experiments = ["x", "X", "\u{E9}", "e\u{301}", "x__2", "x:y", "x y", "%", "_"]
        let variants = ["v", "v 1", "v:1,2;{}\"'\\", "\u{FC} 😀", "e\u{301}"]
        let new = experiments.enumerated().map { assignment(unit, $1, variants[$0 % variants.count]) }
        try await store.save(new)
        let found = Dictionary(try await store.assignments(of: unit).map { (ExactText($0.experiment), $0.variant) }) {
            $1
        }
        promises.expect(
            Set(found.keys), is: Set(new.map { ExactText($0.experiment) }),
            "keys of experiments are compared by their bytes")
        promises.expect(
            new.allSatisfy { found[ExactText($0.experiment)].map(ExactText.init) == ExactText($0.variant) },
            "a variant keeps its name exactly", found: "\(found.values)")
    }

    func forgetting(_ promises: inout Promises) async throws {
        let (unit, other) = (unit("forgetting"), unit("forgetting too"))
        let saved = [(unit, "a"), (unit, "b"), (other, "a")].map { assignment($0, $1, "blue") }
        try await store.save(saved)
        promises.expect(
            try await store.forget(unit), is: 2, "forgetting a unit returns the number of its assignments")
        promises.expect(
            try await store.assignments(of: unit), is: [], "forgetting a unit removes all of its assignments")
        promises.expect(
            try await store.assignments(of: other).count, is: 1,
            "forgetting a unit removes nothing of another unit")
        promises.expect(try await store.forget(unit), is: 0, "forgetting a unit without assignments returns 0")
    }

    func removing(_ promises: inout Promises) async throws {
        let names = ["saving", "replacing", "names", "forgetting too"]
        for unit in names.map(unit) + manyUnits { _ = try await store.forget(unit) }
    }
}
