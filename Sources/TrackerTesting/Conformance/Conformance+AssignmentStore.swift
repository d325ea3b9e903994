import FoundationEssentials
import TrackerCore
public import TrackerFeatures

extension Conformance {
    /// Checks a store of sticky assignments.
    ///
    /// The check uses units of its own, and removes them in the end.
    ///
    /// ```swift
    /// try await Conformance.check(RedisAssignments(redis, prefix: "conformance:"))
    /// ```
    /// - Parameter store: The store.
    /// - Throws: ``ConformanceError`` if it breaks a promise of `AssignmentStore`.
    public static func check(_ store: any AssignmentStore) async throws(ConformanceError) {
        var promises = Promises(of: "AssignmentStore", by: store)
        let sample = Sample()
        await checkSaving(store, sample, &promises)
        await checkReplacing(store, sample, &promises)
        await checkKeys(store, sample, &promises)
        await checkForgetting(store, sample, &promises)
        await promises.check("removing what the check has stored") { _ in
            for unit in sample.units { _ = try await store.forget(unit) }
        }
        try promises.finish()
    }

    /// Units, experiments and assignments that no other check has.
    private struct Sample {
        let id = UUID().uuidString
        let date = Date(milliseconds: 1_700_000_000_123)

        /// Those that the checks leave in the store.
        var units: [ExperimentUnit] {
            ["saving", "replacing", "experiments", "variants", "forgetting too"].map(unit) + many
        }

        var many: [ExperimentUnit] { (0..<500).map { unit("many \($0)") } }

        func unit(_ name: String) -> ExperimentUnit { ExperimentUnit(name: "userId", id: "\(id)-\(name)") }

        func experiment(_ name: String) -> String { "\(id)-\(name)" }

        func assignment(
            _ unit: ExperimentUnit, _ experiment: String, _ variant: String, after seconds: Double = 0,
            replaced: String? = nil
        ) -> StickyAssignment {
            StickyAssignment(
                unit: unit, experiment: self.experiment(experiment), variant: variant,
                date: date.addingTimeInterval(seconds), replaced: replaced)
        }
    }

    private static func checkSaving(
        _ store: any AssignmentStore, _ sample: Sample, _ promises: inout Promises
    ) async {
        let unit = sample.unit("saving")
        await promises.check("saving assignments") { promises in
            let none = try await store.assignments(of: unit)
            promises.expect(none.isEmpty, "a unit without assignments has an empty list", found: "\(none)")
            try await store.save([])
            let two = [sample.assignment(unit, "a", "blue"), sample.assignment(unit, "b", "red", after: 0.001)]
            try await store.save(two)
            let stored = try await store.assignments(of: unit)
            promises.expect(
                Set(stored.map(\.experiment)) == Set(two.map(\.experiment)) && stored.count == 2,
                "all assignments that were saved in one call are stored", found: "\(stored.count) of 2")
            for new in two {
                guard let found = stored.first(where: { $0.experiment == new.experiment }) else { continue }
                promises.expect(found.unit == unit, "an assignment has the unit that was asked for")
                promises.expect(found.variant == new.variant, "an assignment keeps its variant", found: found.variant)
                promises.expect(
                    found.date.milliseconds == new.date.milliseconds, "an assignment keeps its date to the millisecond",
                    found: "\(found.date.milliseconds) instead of \(new.date.milliseconds)")
                promises.expect(found.replaced == nil, "an assignment that is read replaces none")
            }
            try await store.save(two)
            let again = try await store.assignments(of: unit)
            promises.expect(
                again.count == 2, "each experiment has one assignment of a unit", found: "\(again.count) for 2")
        }
        await promises.check("saving many assignments") { promises in
            let units = sample.many
            try await store.save(units.map { sample.assignment($0, "many", "blue") })
            var missing = 0
            for unit in units where try await store.assignments(of: unit).count != 1 { missing += 1 }
            promises.expect(missing == 0, "all of 500 assignments are stored", found: "\(missing) missing")
        }
    }

    private static func checkReplacing(
        _ store: any AssignmentStore, _ sample: Sample, _ promises: inout Promises
    ) async {
        await promises.check("replacing assignments") { promises in
            let unit = sample.unit("replacing")
            func stored() async throws -> StickyAssignment? {
                try await store.assignments(of: unit).first { $0.experiment == sample.experiment("a") }
            }
            let none = try await store.save([sample.assignment(unit, "a", "blue")])
            promises.expect(
                none.isEmpty, "saving returns nothing in the place of a stored assignment",
                found: "\(none.count) assignments")
            let others = try await store.save([
                sample.assignment(unit, "a", "red", after: 1), sample.assignment(unit, "b", "red"),
            ])
            let first = try await stored()
            promises.expect(first?.variant == "blue", "another variant that is stored stays, because it was first")
            promises.expect(
                first?.variant != "blue" || others == [sample.assignment(unit, "a", "blue")],
                "saving returns the assignment that stays in the place of a given one", found: "\(others)")
            try await store.save([sample.assignment(unit, "a", "red", after: 2, replaced: "green")])
            promises.expect(
                try await stored()?.variant == "blue", "a variant stays that is not the one that an assignment replaces"
            )
            try await store.save([sample.assignment(unit, "a", "red", after: 3, replaced: "blue")])
            let new = try await stored()
            promises.expect(new?.variant == "red", "an assignment takes the place of the variant that it replaces")
            promises.expect(
                new?.variant != "red" || new?.date == sample.date.addingTimeInterval(3),
                "an assignment that replaces another has a date of its own")
        }
    }

    private static func checkKeys(
        _ store: any AssignmentStore, _ sample: Sample, _ promises: inout Promises
    ) async {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        // Each pair is easily taken for one key.
        let pairs = [
            (sample.unit("x"), sample.unit("X")), (sample.unit(composed), sample.unit(decomposed)),
            (sample.unit("x "), sample.unit("x")), (sample.unit("*"), sample.unit("?")),
            (ExperimentUnit(name: "userId", id: sample.id), ExperimentUnit(name: "deviceId", id: sample.id)),
            (ExperimentUnit(name: "a:b", id: sample.id), ExperimentUnit(name: "a", id: "b:\(sample.id)")),
        ]
        await promises.check("storing assignments of similar units") { promises in
            for (number, (unit, other)) in pairs.enumerated() {
                try await store.save([
                    sample.assignment(unit, "keys", "u\(number)"), sample.assignment(other, "keys", "o\(number)"),
                ])
                let found = [try await store.assignments(of: unit), try await store.assignments(of: other)]
                promises.expect(
                    found.map { $0.map(\.variant) } == [["u\(number)"], ["o\(number)"]],
                    "names and ids of units are compared by their bytes",
                    found: "one entry for \(unit.name) '\(unit.id)' and \(other.name) '\(other.id)'")
                for unit in [unit, other] { _ = try await store.forget(unit) }
            }
        }
        await promises.check("storing assignments of similar experiments") { promises in
            let unit = sample.unit("experiments")
            let names = ["x", "X", composed, decomposed, "x__2", "x:y", "x y", "%", "_"]
            try await store.save(names.enumerated().map { sample.assignment(unit, $1, "v\($0)") })
            let found = try await store.assignments(of: unit)
            let variants = Dictionary(found.map { (Array($0.experiment.utf8), $0.variant) }) { first, _ in first }
            promises.expect(
                names.enumerated().allSatisfy { variants[Array(sample.experiment($1).utf8)] == "v\($0)" },
                "keys of experiments are compared by their bytes", found: "\(found.count) of \(names.count)")
        }
        await promises.check("storing variants of any name") { promises in
            let unit = sample.unit("variants")
            let variants = ["v 1", "v:1,2;{}\"'\\", "\u{FC} 😀", decomposed]
            try await store.save(variants.enumerated().map { sample.assignment(unit, "variant \($0)", $1) })
            let found = try await store.assignments(of: unit).sorted { $0.experiment < $1.experiment }.map(\.variant)
            promises.expect(
                found.map { Array($0.utf8) } == variants.map { Array($0.utf8) }, "a variant keeps its name exactly",
                found: "\(found)")
        }
    }

    private static func checkForgetting(
        _ store: any AssignmentStore, _ sample: Sample, _ promises: inout Promises
    ) async {
        let (unit, other) = (sample.unit("forgetting"), sample.unit("forgetting too"))
        await promises.check("forgetting a unit") { promises in
            try await store.save([
                sample.assignment(unit, "a", "blue"), sample.assignment(unit, "b", "blue"),
                sample.assignment(other, "a", "blue"),
            ])
            let count = try await store.forget(unit)
            promises.expect(
                count == 2, "forgetting a unit returns the number of its assignments", found: "\(count) of 2")
            let rest = try await store.assignments(of: unit)
            promises.expect(rest.isEmpty, "forgetting a unit removes all of its assignments", found: "\(rest.count)")
            let others = try await store.assignments(of: other)
            promises.expect(others.count == 1, "forgetting a unit removes nothing of another unit")
            let again = try await store.forget(unit)
            promises.expect(again == 0, "forgetting a unit without assignments returns 0", found: "\(again)")
        }
    }
}
