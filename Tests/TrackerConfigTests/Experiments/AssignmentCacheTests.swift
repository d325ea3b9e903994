import FoundationEssentials
import Testing
import TrackerCore

@testable import TrackerConfig
@testable import TrackerFeatures

/// A memory behind a reference, as `#expect` changes no value.
private final class Memory {
    private var memory: AssignmentCache

    init(limit: Int) { memory = AssignmentCache(limit: limit) }

    var forgotten: Int { memory.forgotten }

    func give(_ given: AssignmentCache.Exposed, to unit: ExperimentUnit) -> Bool { memory.give(given, to: unit) }

    func assign(to unit: ExperimentUnit) {
        let assigned = AssignmentCache.Assigned(experiment: "x", variant: "a", date: 0, stamp: 0, seen: .zero)
        memory.assign(assigned, to: unit)
    }

    func forget(_ unit: ExperimentUnit) { memory.forget(unit) }

    func record(of unit: ExperimentUnit) -> AssignmentCache.Record? { memory.read(unit) { $0 } }
}

/// What a process remembers of units, and what it forgets.
@Suite("The memory of units")
struct AssignmentCacheTests {
    private let now = Date(milliseconds: 1_700_000_000_000)

    private func exact(_ texts: String...) -> Set<ExactText> { Set(texts.map(ExactText.init)) }

    private func unit(_ number: Int) -> ExperimentUnit { ExperimentUnit(name: "userId", id: "u-\(number)") }

    private func given(_ experiment: String = "x", content: Int = 1) -> AssignmentCache.Exposed {
        AssignmentCache.Exposed(experiment: experiment, variant: "a", content: content)
    }

    @Test("what is used stays, what is not used is forgotten, and no more than the limit is kept")
    func generations() {
        let memory = Memory(limit: 100)
        memory.assign(to: unit(0))
        for number in 1..<1000 {
            memory.assign(to: unit(number))
            #expect(memory.record(of: unit(0))?.assigned.count == 1)
        }
        let kept = (1..<1000).count { memory.record(of: unit($0))?.assigned.count == 1 }
        #expect(1...50 ~= kept)
        #expect(memory.record(of: unit(1))?.weight == nil)
    }

    @Test("notes that are forgotten are counted, and only they")
    func counted() {
        let memory = Memory(limit: 40)
        for number in 0..<1000 { #expect(memory.give(given(), to: unit(number))) }
        let kept = (0..<1000).count { !memory.give(given(), to: unit($0)) }
        #expect(kept < 40)
        let quiet = Memory(limit: 40)
        for number in 0..<1000 { quiet.assign(to: unit(number)) }
        #expect(quiet.forgotten == 0)
        #expect(memory.forgotten > 900)
    }

    @Test("a unit that lives through many versions keeps only what is near, the present version whole")
    func versions() {
        let memory = Memory(limit: 1_000_000)
        for content in 0..<10_000 { #expect(memory.give(given(content: content), to: unit(0))) }
        #expect((memory.record(of: unit(0))?.given.count ?? 999) <= 256)
        #expect(memory.forgotten > 9000)
        for number in 0..<1000 { #expect(memory.give(given("\(number)", content: 10_000), to: unit(0))) }
        for number in 0..<1000 { #expect(!memory.give(given("\(number)", content: 10_000), to: unit(0))) }
    }

    @Test("a variant and a version that differ are told apart, also nil and none")
    func given() {
        let memory = Memory(limit: 100)
        #expect(memory.give(given(content: 7), to: unit(0)))
        #expect(memory.give(given(content: 0), to: unit(0)))
        #expect(!memory.give(given(content: 7), to: unit(0)))
        #expect(memory.give(AssignmentCache.Exposed(experiment: "x", variant: "b", content: 0), to: unit(0)))
        #expect(memory.give(given(content: 0), to: ExperimentUnit(name: "deviceId", id: "u-0")))
    }

    @Test("texts that differ in Unicode normalization alone are told apart, in memory and on their way to the store")
    func exactTexts() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let units = [composed, decomposed].map { ExperimentUnit(name: "userId", id: $0) }
        let memory = Memory(limit: 100)
        #expect(memory.give(given(composed), to: unit(0)))
        #expect(memory.give(given(decomposed), to: unit(0)))
        memory.assign(to: units[0])
        #expect(memory.record(of: units[1]) == nil)
        var outbox = AssignmentOutbox(limit: 10)
        for (index, unit) in units.enumerated() {
            for id in [composed, decomposed] {
                let assignment = StickyAssignment(
                    unit: unit, experiment: id, variant: "\(index)\(id.utf8.count)", date: now)
                _ = outbox.keep(assignment)
            }
        }
        for (index, unit) in units.enumerated() {
            for id in [composed, decomposed] {
                #expect(outbox.assignment(of: id, for: unit)?.variant == "\(index)\(id.utf8.count)")
            }
        }
        outbox.forget(except: exact(decomposed))
        #expect(outbox.assignment(of: composed, for: units[0]) == nil)
        #expect(outbox.assignment(of: decomposed, for: units[0]) != nil)
        outbox.forget(units[0], AssignmentOutbox.Waiter())
        #expect(outbox.assignment(of: decomposed, for: units[0]) == nil)
        #expect(outbox.assignment(of: decomposed, for: units[1]) != nil)
        #expect(outbox.isForgetting(units[0]) && !outbox.isForgetting(units[1]))
        var forgotten = ForgottenExperiments()
        forgotten.forget(except: exact(composed))
        #expect(forgotten.isValid(0, of: composed))
        #expect(!forgotten.isValid(0, of: decomposed))
    }

    @Test("a unit that is forgotten leaves nothing in either generation")
    func forgottenUnit() {
        let memory = Memory(limit: 20)
        for number in 0..<15 { memory.assign(to: unit(number)) }
        for number in 0..<15 { memory.forget(unit(number)) }
        for number in 0..<15 { #expect(memory.record(of: unit(number)) == nil) }
        for number in 0..<4 { memory.assign(to: unit(number)) }
        for number in 0..<4 { #expect(memory.record(of: unit(number))?.assigned.count == 1) }
    }

    @Test("what was forgotten stays so, what was retained does not, however often")
    func forgottenExperiments() {
        var forgotten = ForgottenExperiments()
        #expect(forgotten.isValid(0, of: "x"))
        forgotten.forget(except: exact("x"))
        #expect(forgotten.isValid(0, of: "x"))
        #expect(!forgotten.isValid(0, of: "y"))
        forgotten.forget(except: exact("x", "y"))
        #expect(forgotten.isValid(0, of: "x"))
        #expect(!forgotten.isValid(0, of: "y"))
        #expect(forgotten.isValid(1, of: "y"))
        forgotten.forget(except: exact("y"))
        #expect(!forgotten.isValid(2, of: "x"))
        #expect(forgotten.isValid(1, of: "y"))
        forgotten.forget(except: exact("x"))
        #expect(!forgotten.isValid(2, of: "x"))
        #expect(forgotten.isValid(4, of: "x"))
        #expect(forgotten.isValid(3, of: "x"))
    }

    @Test("what waits for the store is forgotten with its experiment, and failed forgetting is not lost")
    func outbox() throws {
        var outbox = AssignmentOutbox(limit: 10)
        var work = outbox.take()
        #expect(work?.keeps == nil)
        let kept = ["x", "y"].map { StickyAssignment(unit: unit(0), experiment: $0, variant: "a", date: now) }
        for assignment in kept { _ = outbox.keep(assignment) }
        outbox.forget(except: exact("y", "z"))
        #expect(outbox.assignment(of: "x", for: unit(0))?.variant == nil)
        #expect(outbox.assignment(of: "y", for: unit(0))?.variant == "a")
        work = outbox.take()
        let first = try #require(work)
        #expect(first.keeps == [kept[1]])
        #expect(first.retained == exact("y", "z"))
        #expect(outbox.isForgetting("x"))
        #expect(outbox.assignment(of: "y", for: unit(0))?.variant == "a")
        outbox.told(first, hasForgotten: false)
        #expect(outbox.assignment(of: "y", for: unit(0))?.variant == nil)
        #expect(outbox.isForgetting("x"))
        work = outbox.take()
        #expect(work?.keeps == nil)
        outbox.forget(except: exact("x", "y"))
        work = outbox.take()
        let second = try #require(work)
        #expect(second.retained == exact("y"))
        outbox.told(second, hasForgotten: true)
        #expect(!outbox.isForgetting("x"))
        work = outbox.take()
        #expect(work?.keeps == nil)
    }
}
