import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("what dead processes left", .endsWhenItHangs)
struct TakeOverTests {
    private let directory = TemporaryDirectory()

    private func rig(_ service: String = "tests", seed: UInt64) -> Rig {
        Rig(directory: StateDirectory(path: directory.path, service: service), seed: seed)
    }

    /// Lets a process store events of namespaces, one after the other, and die.
    private func leave(_ numbers: ClosedRange<Int>, of namespaces: [String], _ service: String = "tests", seed: UInt64)
        async throws
    {
        let rig = rig(service, seed: seed)
        var trackers: [Tracker] = []
        for namespace in namespaces { trackers.append(try await rig.idleTracker(namespace)) }
        for number in numbers { trackers[number % trackers.count].track(number...number) }
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("a living process takes it over while it runs, once, in order, and a namespace without tracker keeps its own")
    func takesOverWhileRunning() async throws {
        let living = rig(seed: 1)
        let tracker = try await living.tracker()
        try await leave(1...1100, of: ["ns"], seed: 2)
        try await Rig.leave(7...9, in: directory, of: "elsewhere", seed: 3) { $0.emitter?.serverAnonymisation = true }
        living.time.advance(by: EventPipeline.maintenanceInterval)
        // The next sleep begins when it is done.
        await living.time.waitForSleeps(1, of: EventPipeline.maintenanceInterval)
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == texts(1...1100))
        #expect(tracker.counters.addUp(recovered: 1100))
        let other = try await living.tracker("elsewhere")
        await other.flush(timeout: .seconds(60))
        #expect(living.actions.suffix(3) == ["7", "8", "9"])
        #expect(living.transport.requests.last?.header("SP-Anonymous") == "*")
        #expect(StoreFiles(directory: directory).names.allSatisfy { $0.hasPrefix("log-0.") })
    }

    @Test("a slot that was looked at is looked at again once another process has taken it and was killed", .mayBlock)
    func looksAgain() async throws {
        let living = rig(seed: 1)
        let tracker = try await living.tracker()
        try await leave(1...3, of: ["elsewhere"], seed: 2)
        await living.pipeline.takeOver()
        #expect(living.pipeline.unclaimedEvents == ["elsewhere": 3])
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let killed = Rig(stateDirectory: path, seed: 3)
            let tracker = try await killed.idleTracker()
            try await killed.pipeline.holdingStore {
                tracker.track(10...14)
                kill(getpid(), SIGKILL)
            }
        }
        await living.pipeline.takeOver()
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == texts(10...14))
        #expect(living.pipeline.unclaimedEvents == ["elsewhere": 3])
    }

    @Test("what waits for a namespace without a tracker is counted, logged once, and sent when a process has it")
    func countsTheUnclaimed() async throws {
        try await leave(1...10, of: ["gone"], seed: 1)
        let living = rig(seed: 2)
        _ = try await living.tracker("b")
        await living.pipeline.takeOver()
        #expect(living.pipeline.unclaimedEvents == ["gone": 10])
        // All were tracked at the moment at which the clock of a test begins.
        #expect(living.pipeline.unclaimed.withLock { $0.values.map(\.oldest) } == [living.time.wallTime])
        for _ in 1...3 {
            living.time.advance(by: EventPipeline.maintenanceInterval)
            await living.pipeline.takeOver()
        }
        let lines = living.log.records.filter { $0.message.contains("wait in") }
        #expect(lines.map(\.level) == [.warning])
        #expect(lines.first?.message.contains("10 events of namespace 'gone'") == true)
        let back = try await living.tracker("gone")
        await living.pipeline.takeOver()
        await back.flush()
        #expect(living.actions == texts(1...10))
        await living.pipeline.takeOver()
        #expect(living.pipeline.unclaimedEvents == [:])
    }

    @Test("a process whose tracker was removed takes over nothing that it could not send")
    func leavesWhatItCannotSend() async throws {
        let former = rig(seed: 1)
        var tracker: Tracker? = try await former.tracker("a")
        let emitter = tracker?.namespaceEmitter
        tracker?.remove()
        tracker = nil
        try await leave(1...5, of: ["a"], seed: 2)
        await former.pipeline.takeOver()
        #expect(former.pipeline.unclaimedEvents == ["a": 5])
        let own = rig(seed: 3)
        let heir = try await own.tracker("a")
        await heir.flush(timeout: .seconds(60))
        #expect(own.actions == texts(1...5))
        withExtendedLifetime(emitter) {}
    }

    @Test("of a file with events of two namespaces each process takes its own, once")
    func takesPartOfAFile() async throws {
        try await leave(1...9, of: ["a", "b", "c"], seed: 1)
        for (seed, name) in [(UInt64(2), "b"), (3, "a"), (4, "c")] {
            let one = rig(seed: seed)
            let tracker = try await one.tracker(name)
            await one.pipeline.takeOver()
            await tracker.flush(timeout: .seconds(60))
            let expected = (1...9).filter { ["a", "b", "c"][$0 % 3] == name }.map { "\($0)" }
            #expect(one.actions == expected)
            #expect(tracker.counters.addUp(recovered: 3))
            await one.pipeline.shutdown()
        }
        #expect(StoreFiles(directory: directory).names == [])
    }

    @Test("services with the same namespace never send each other's events")
    func keepsServicesApart() async throws {
        try await leave(1...3, of: ["main"], "a", seed: 1)
        let other = rig("b", seed: 2)
        let tracker = try await other.tracker("main")
        await other.pipeline.takeOver()
        tracker.track(10...10)
        await tracker.flush()
        #expect(other.actions == ["10"])
        let own = rig("a", seed: 3)
        let again = try await own.tracker("main")
        await again.flush()
        #expect(own.actions == ["1", "2", "3"])
    }

    @Test("what a living process has is left alone, also if somebody removes its lock file")
    func leavesTheLiving() async throws {
        let one = rig(seed: 1)
        let tracker = try await one.idleTracker()
        tracker.track(1...2)
        _ = await tracker.storedCounters()
        for isRemoved in [false, true] {
            if isRemoved { unlink(directory.file("log-0.lock")) }
            let two = rig(seed: 2)
            let other = try await two.tracker()
            await two.pipeline.takeOver()
            await other.flush()
            #expect(two.actions == [])
            await two.pipeline.shutdown(timeout: .zero)
        }
        tracker.emitter.resume()
        await tracker.flush()
        #expect(one.actions == ["1", "2"])
    }

    @Test("an idle process writes nothing to the slots of dead ones")
    func leavesDeadSlotsAlone() async throws {
        try await leave(1...3, of: ["other"], seed: 2)
        let living = rig(seed: 1)
        _ = try await living.tracker("a")
        await living.pipeline.takeOver()
        let stamps = { self.directory.names.map { FileStamp(self.directory.file($0), followsLinks: false) } }
        let before = stamps()
        for _ in 1...5 { await living.pipeline.takeOver() }
        #expect(stamps() == before)
    }

    @Test("damage in which no event can be read is counted with the first tracker, and logged, once")
    func countsDamageWithoutTracker() async throws {
        try await leave(1...1, of: ["ns"], seed: 1)
        try StoreFiles(directory: directory).replace("\"se_ac\":\"1\"", with: "\"se_ac\":\"_\"")
        let next = rig(seed: 9)
        await next.pipeline.maintain()
        let heir = try await next.tracker()
        await next.pipeline.maintain()
        #expect(heir.counters.droppedByReason == [.damaged: 1])
        #expect(heir.counters.addUp(recovered: 1))
        let lines = next.log.records.filter { $0.level == .error }.map(\.message)
        #expect(lines == ["1 event was dropped (damaged): their records in the event log are damaged"])
        let third = rig(seed: 10)
        #expect(try await third.tracker().counters.droppedByReason == [:])
    }

    /// What may be in the place of a file of the log.
    enum Bad: String, CaseIterable {
        case text, large, largeZeros, link, folder, newer
    }

    @Test(
        "what is no file of the log stays as it is, with one line in the log, and holds up nothing",
        arguments: Bad.allCases)
    func leavesOthersFiles(bad: Bad) async throws {
        try await leave(1...3, of: ["ns"], seed: 1)
        let path = directory.file("log-0.00000000")
        switch bad {
        case .text: directory.write("to be or not to be", to: "log-0.00000000")
        case .large, .largeZeros:
            let beginning = Data(bad == .large ? [1] : [0])
            #expect(FileManager.default.createFile(atPath: path, contents: beginning) && truncate(path, 1 << 40) == 0)
        case .link:
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.file("nothing"))
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .newer:
            var page = LogHeader(format: .standard).bytes
            for copy in [0, 2048] {
                page[copy + 6] = 2
                let checksum = page.withUnsafeBytes {
                    RowChecksum.of(UnsafeRawBufferPointer(rebasing: $0[copy..<copy + 40]))
                }
                withUnsafeBytes(of: checksum) { page.replaceSubrange(copy + 40..<copy + 48, with: $0) }
            }
            try Data(page).write(to: URL(filePath: path))
        }
        let before = FileStamp(path, followsLinks: false)
        // Of another program: the numbers of files never come so far.
        directory.write("", to: "log-1.ffffffff")
        let rig = rig(seed: 2)
        let tracker = try await rig.tracker()
        for _ in 1...3 { await rig.pipeline.takeOver() }
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2", "3"])
        let lines = rig.log.records.filter { $0.level == .error }.map(\.message)
        #expect(lines.count == 1 && lines[0].contains(path))
        #expect(FileStamp(path, followsLinks: false) == before)
    }

    @Test("a directory of an earlier release stays as it is, with one warning that names it")
    func leavesFormerFiles() async throws {
        directory.write("SQLite format 3", to: "events-0.sqlite")
        let rig = rig(seed: 1)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(PageView(url: "u"))
        #expect(
            rig.pipeline.warnings == [
                "\(directory.path)/events-0.sqlite is of an earlier release of the SDK, which this one does not read; it stays as it is"
            ])
        await rig.pipeline.shutdown()
        #expect(try String(contentsOfFile: directory.file("events-0.sqlite"), encoding: .utf8) == "SQLite format 3")
    }

    @Test("a slot whose lock cannot be opened is passed over, with a warning")
    func passesSlotsOver() async throws {
        // Not even root opens a link where none is followed.
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("log-0.lock"), withDestinationPath: directory.file("elsewhere"))
        let rig = rig(seed: 1)
        let tracker = try await rig.idleTracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        #expect(StoreFiles(directory: directory).names == ["log-1.00000001"])
        #expect(!directory.names.contains("elsewhere"))
        #expect(rig.pipeline.warnings.count == 1)
    }

    @Test("a service's name is one component of a path, whatever it is")
    func namesDirectories() {
        #expect(ServiceName.component("orders-7.api_x") == "orders-7.api_x")
        #expect(ServiceName.component("../etc") == "%2E.%2Fetc")
        #expect(ServiceName.component(".") == "%2E")
        #expect(ServiceName.component("a/b c") == "a%2Fb%20c")
        let long = String(repeating: "x", count: 1000)
        #expect(ServiceName.component(long).utf8.count == 200)
        #expect(ServiceName.component(long) != ServiceName.component(long + "y"))
    }
}
