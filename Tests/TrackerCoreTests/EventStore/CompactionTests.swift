import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("a kill between any two changes of files", .endsWhenItHangs)
struct CompactionTests {
    private let directory = TemporaryDirectory()
    /// How many changes of files are left before the process is killed; nil for any number.
    private let left = Locked(Int?.none)
    /// Whether only one change fails, and the process lives on.
    private let failsOnce = Locked(false)

    private func state(_ path: String) -> StateDirectory {
        StateDirectory(
            path: path, service: "tests", format: LogFormat(segmentSize: 16 << 10, segmentCount: 16),
            willChange: { [left, failsOnce] _ throws(EventStoreError) in
                let isKilled = left.withLock { left in
                    left = left.map { $0 - 1 }
                    return left.map { failsOnce.withLock(\.self) ? $0 == -1 : $0 < 0 } ?? false
                }
                if isKilled { throw EventStoreError(.failed, reason: "the process is killed") }
            })
    }

    /// The events of two namespaces that the next process finds if this one is killed now.
    private func found() async throws -> [[String]] {
        left.withLock { $0 = nil }
        let copy = try StoreFiles(directory: directory).copy()
        defer { withExtendedLifetime(copy) {} }
        let store = EventStore.open(state(copy.path), ["stuck", "busy"])
        _ = await store.takeOver(of: [ExactText("stuck"), ExactText("busy")], pause: {})
        return [store.loaded(0).actions, store.loaded(1).actions]
    }

    /// Does something in an empty directory again and again: before a kill there are no changes of files, then one, and so on, until
    /// there are enough.
    /// - Returns: How many changes it makes.
    private func afterEachChange(_ body: (Int) async throws -> Void) async throws -> Int {
        for count in 0..<1000 {
            try await body(count)
            let isDone = left.withLock { left in left.map { $0 >= 0 } ?? false }
            left.withLock { $0 = nil }
            for name in directory.names { unlink(directory.file(name)) }
            if isDone { return count }
        }
        return 1000
    }

    /// A kill, or one or several failures of the disk, after which the process takes over the events of another one.
    enum Fault: CaseIterable { case kill, failure, failures }

    @Test("of a taking, or failures there, neither lose an event nor bring one twice", arguments: Fault.allCases)
    func takes(fault: Fault) async throws {
        failsOnce.withLock { $0 = fault == .failure }
        let changes = try await afterEachChange { count in
            let store = EventStore.open(state(directory.path), ["stuck", "busy"])
            // It began at the same time, so that its files have the same numbers.
            let dead = EventStore.open(state(directory.path), ["stuck", "busy"])
            for number in 500..<600 { try dead.track(number...number, of: 1, size: 7_000) }
            for round in 0..<90 {
                try store.track(round...round, of: 0, size: 500)
                try store.track(round * 1_000...round * 1_000 + 7, of: 1, size: 2_000)
                store.remove(store.loaded(1).events.map(\.id), of: 1)
                store.endLoad(1)
            }
            dead.close()
            #expect(store.eventLog.isSparse)
            left.withLock { $0 = count }
            store.doPostponedWork()
            let rest = left.withLock { $0 }
            if fault != .kill {
                left.withLock { $0 = nil }
                _ = await store.takeOver(of: [ExactText("stuck"), ExactText("busy")], pause: {})
            }
            #expect(try await found() == [texts(0...89), texts(500...599)], "\(fault) after \(count) changes")
            // The process itself, whose disk failed there, has them too.
            #expect(store.loaded(0).actions == texts(0...89))
            #expect(fault != .kill || (rest ?? -1) < 0 || !store.eventLog.isSparse)
            for index in 0...1 { store.remove(store.loaded(index).events.map(\.id), of: index) }
            store.close()
            left.withLock { $0 = rest }
        }
        #expect((4..<1000).contains(changes))
    }

    @Test("of a takeover neither loses an event nor brings one twice", arguments: [true, false])
    func takesOver(isWhole: Bool) async throws {
        let changes = try await afterEachChange { count in
            let dead = EventStore.open(state(directory.path), ["stuck", "busy"])
            for number in 0..<40 { try dead.track(number...number, of: number % 2, size: 9_000) }
            dead.close()
            let store = EventStore.open(state(directory.path), isWhole ? ["stuck", "busy"] : ["stuck"])
            left.withLock { $0 = count }
            _ = await store.takeOver(
                of: Set(["stuck", isWhole ? "busy" : nil].compactMap { $0.map(ExactText.init) }), pause: {})
            let rest = left.withLock { $0 }
            let expected = [0, 1].map { index in (0..<40).filter { $0 % 2 == index }.map { "\($0)" } }
            // A kill leaves two slots, whose events are sent one slot after the other.
            let found = try await found().map { $0.sorted { Int($0)! < Int($1)! } }
            #expect(found == expected, "killed after \(count) changes")
            store.close()
            left.withLock { $0 = rest }
        }
        #expect((2..<1000).contains(changes))
    }
}
