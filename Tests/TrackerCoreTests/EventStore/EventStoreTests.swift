import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("EventStore", .endsWhenItHangs)
struct EventStoreTests {
    private let directory = TemporaryDirectory()
    private let time = ManualTime()

    /// Names that are no good names of files.
    static let odd = [
        "../../etc", "a'b\"c`;--", "a\u{0}b", "a", "😀é\u{202E}", "%s%n", "/", ".", String(repeating: "x", count: 128),
        "\n",
    ]

    private func store(isOnDisk: Bool, _ namespaces: [String] = ["ns"]) -> EventStore {
        let state = StateDirectory(
            path: directory.path, service: "tests", format: LogFormat(segmentSize: 16 << 10, segmentCount: 16))
        return .open(isOnDisk ? state : nil, namespaces, time: time)
    }

    @Test("events come back in order, whole, and no more than asked for", arguments: [true, false])
    func loads(isOnDisk: Bool) throws {
        let store = store(isOnDisk: isOnDisk)
        // Some of them in files that are sealed, and one that has no room in a segment.
        try store.track(1...400, size: 2_000)
        try store.track(401...401, size: 100_000)
        try store.track(402...402)
        let (events, actions) = store.loaded()
        #expect(actions == texts(1...402))
        #expect(events.map(\.isAnonymous) == (1...402).map { $0.isMultiple(of: 2) })
        #expect(events.map(\.id) == events.map(\.id).sorted() && Set(events.map(\.id)).count == 402)
        #expect(store.amount(of: 0) == events.reduce(.zero) { $0 + EventAmount(events: 1, bytes: $1.payload.count) })
        #expect(store.loaded(0, 2).actions == ["1", "2"])
        #expect(store.loaded(0, bytes: 5_000).actions == ["1", "2"])
        #expect(store.loaded(0, bytes: 1).actions == ["1"])
        #expect(store.loaded(0, 2, except: [events[0].id, events[2].id]).actions == ["2", "4"])
        let last = events.count - 1
        for (choice, index) in [
            (.single(events[300].id), 300), (.newest(skipping: 0), last), (.newest(skipping: 7), last - 7),
            (.newest(skipping: .max), 0),
        ] as [(EventStore.Choice, Int)] {
            let loaded = try #require(store.load(0, choice)).events
            #expect(loaded == [events[index]])
        }
    }

    @Test("what is done with does not come back, wherever it is, and ids stay the same", arguments: [true, false])
    func finishes(isOnDisk: Bool) throws {
        let store = store(isOnDisk: isOnDisk)
        try store.track(1...600, size: 1_000)
        let events = store.loaded().events
        let gone = events.filter { $0.id % 3 != 0 }
        store.remove(gone.map(\.id), of: 0)
        store.remove(gone.map(\.id), of: 0)
        #expect(store.loaded().events == events.filter { $0.id % 3 == 0 })
        #expect(store.amount(of: 0).events == events.count - gone.count)
        store.remove(events.map(\.id), of: 0)
        #expect(store.amount(of: 0) == .zero)
        try store.track(601...602)
        #expect(store.loaded().actions == ["601", "602"])
        #expect(try #require(store.loaded().events.first).id == events[599].id + 1)
    }

    @Test("bounds drop the oldest, by number, bytes and age, and never loaded ones", arguments: [true, false])
    func keepsBounds(isOnDisk: Bool) throws {
        let store = store(isOnDisk: isOnDisk)
        func bound(_ change: (inout EmitterConfiguration) -> Void) {
            time.advance(by: .seconds(1))
            store.enforceBounds(0, by: EmitterConfiguration { change(&$0) })
        }
        let now = time.wallTime
        for number in 1...10 { try store.track(number...number, size: 100, time: now + Int64(number) * 1000) }
        #expect(store.loaded(0, 2).actions == ["1", "2"])
        bound { $0.maxEventStoreSize = 7 }
        store.endLoad(0)
        #expect(store.loaded().actions == ["1", "2"] + texts(6...10))
        store.endLoad(0)
        let size = store.amount(of: 0).bytes / 7
        bound { $0.maxEventStoreBytes = 5 * size + 20 }
        #expect(store.loaded().actions == texts(6...10))
        store.endLoad(0)
        time.advance(by: .seconds(100))
        bound { $0.maxEventStoreAge = .milliseconds((time.wallTime - now) - 7_500) }
        #expect(store.loaded().actions == texts(8...10))
        #expect(
            store.takeChanges().compactMap { if case .lost(let count, _, _) = $0.change { count } else { nil } } == [
                3, 2, 2,
            ])
    }

    @Test("events that a clock stamped in the future stop the expiry of none behind them, and are as old as these")
    func expiresBehindTheFuture() throws {
        let store = store(isOnDisk: true)
        let now = time.wallTime
        try store.track(1...300, time: now + 400 * 86_400_000)
        try store.track(301...302, time: now)
        time.advance(by: .seconds(200))
        try store.track(303...303, time: time.wallTime)
        func expire() {
            time.advance(by: .seconds(1))
            store.enforceBounds(0, by: EmitterConfiguration { $0.maxEventStoreAge = .seconds(300) })
        }
        expire()
        #expect(store.amount(of: 0).events == 303)
        time.advance(by: .seconds(99))
        expire()
        #expect(store.loaded().actions == ["303"])
    }

    @Test("namespaces are apart, whatever their names, and a process finds them by their bytes")
    func keepsNamespacesApart() async throws {
        let names = Self.odd + ["caf\u{E9}", "cafe\u{301}"]
        let first = Rig(stateDirectory: directory.file("a/state"), seed: 1)
        for (index, name) in names.enumerated() {
            let tracker = try await first.idleTracker(name)
            tracker.track(index * 10...index * 10 + 1)
        }
        await first.pipeline.shutdown(timeout: .zero)
        #expect(directory.names == ["a"])
        let state = TemporaryDirectory(at: directory.file("a/state"))
        defer { withExtendedLifetime(state) {} }
        #expect(state.names.allSatisfy { $0.hasPrefix("log-0.") })
        let second = Rig(stateDirectory: directory.file("a/state"), seed: 2)
        for (index, name) in names.enumerated() {
            let tracker = try await second.tracker(name)
            await second.pipeline.takeOver()
            await tracker.flush(timeout: .seconds(60))
            #expect(second.actions.suffix(2) == ["\(index * 10)", "\(index * 10 + 1)"])
            #expect(second.events.last?["tna"] == name)
        }
        #expect(second.actions.count == 2 * names.count)
    }

    @Test("a record whose bytes change under the process is dropped as damaged, and those around it are sent")
    func countsDamage() throws {
        let store = store(isOnDisk: true)
        try store.track(1...5)
        try store.track(6...300, size: 2_000)
        let files = StoreFiles(directory: directory)
        try files.replace(#""se_ac":"2""#, with: #""se_ac":"_""#)
        try files.replace(#""se_ac":"200""#, with: #""se_ac":"_00""#)
        #expect(store.loaded().actions == texts(1...300).filter { $0 != "2" && $0 != "200" })
        #expect(store.takeChanges().contains { if case .lost(2, .damaged, _) = $0.change { true } else { false } })
        #expect(store.amount(of: 0).events == 298)
    }

    @Test("a file that is cut while it waits costs the events that are gone")
    func survivesCuts() throws {
        let store = store(isOnDisk: true)
        try store.track(1...600, size: 2_000)
        let files = StoreFiles(directory: directory)
        let sealed = try #require(files.names.first)
        #expect(truncate(directory.file(sealed), 40_000) == 0)
        let actions = store.loaded().actions
        #expect(actions.count > 400 && actions.count < 600)
        #expect(store.amount(of: 0).events == actions.count)
        #expect(actions == texts(1...600).filter(Set(actions).contains))
        store.remove(store.loaded().events.map(\.id), of: 0)
        #expect(store.amount(of: 0) == .zero)
    }

    @Test(
        "while 20 MB wait, the process has few of them in memory, and a stuck namespace holds little else on the disk")
    func takesSparseFiles() throws {
        let store = store(isOnDisk: true, ["stuck", "busy"])
        for round in 0..<40 {
            try store.track(round...round, of: 0, size: 1_000)
            try store.track(round * 1_000...round * 1_000 + 499, of: 1, size: 2_000)
            store.remove(store.loaded(1).events.map(\.id), of: 1)
            store.endLoad(1)
            store.doPostponedWork()
        }
        #expect(store.amount(of: 0).events == 40)
        for _ in 0..<20 { store.doPostponedWork() }
        let bytes = StoreFiles(directory: directory).names.reduce(0) { $0 + (FileSize.of(directory.file($1)) ?? 0) }
        #expect(bytes < 18 << 20)
        #expect(store.loaded().actions == texts(0...39))
        store.remove(store.loaded().events.map(\.id), of: 0)
        store.close()
        #expect(StoreFiles(directory: directory).names == [])
    }
}

enum FileSize {
    static func of(_ path: String) -> Int? {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : nil
    }
}
