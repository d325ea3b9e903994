import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("FileLock", .endsWhenItHangs)
struct FileLockTests {
    private let directory = TemporaryDirectory()

    @Test("a lock is held once, and free again when it is let go of")
    func excludes() throws {
        let path = directory.file("lock")
        var lock = try FileLock(path: path)
        #expect(lock != nil)
        for _ in 0..<2 { #expect(try FileLock(path: path) == nil) }
        lock = nil
        #expect(try FileLock(path: path) != nil)
    }

    @Test("a file that cannot be opened is an error with its path")
    func fails() {
        let error = #expect(throws: FileError.self) { try FileLock(path: directory.file("no/lock")) }
        #expect(error?.operation == .open)
        #expect(error?.errorNumber == ENOENT)
        #expect(error?.description.contains("no/lock") == true)
    }
}

@Suite("StandardDirectory", .endsWhenItHangs)
struct StandardDirectoryTests {
    @Test(
        "directories are found by the environment",
        arguments: [
            (["STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/var/lib/a"),
            (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/tracker-config"),
            (["XDG_STATE_HOME": "x", "HOME": "/h"], "/h/.local/state/tracker-config"),
            (["STATE_DIRECTORY": "", "HOME": "/h"], "/h/.local/state/tracker-config"),
            (["HOME": ""], nil), (["HOME": "h"], nil), ([:], nil),
            (["CACHE_DIRECTORY": "/c", "HOME": "/h"], "/h/.local/state/tracker-config"),
        ] as [([String: String], String?)])
    func findsState(environment: [String: String], path: String?) {
        #expect(StandardDirectory.state.path(environment: environment) == path)
    }

    @Test("the cache has variables of its own")
    func findsCache() {
        #expect(StandardDirectory.cache.path(environment: ["CACHE_DIRECTORY": "/c", "STATE_DIRECTORY": "/s"]) == "/c")
        #expect(StandardDirectory.cache.path(environment: ["XDG_CACHE_HOME": "/x"]) == "/x/tracker-config")
        #expect(StandardDirectory.cache.path(environment: ["HOME": "/h"]) == "/h/.cache/tracker-config")
    }

    @Test("directories are made for this user only, and a file in the way is an error")
    func creates() throws {
        let directory = TemporaryDirectory()
        try StandardDirectory.create(directory.file("a/b//c/"))
        try StandardDirectory.create(directory.file("a/b/c"))
        for name in ["a", "a/b", "a/b/c"] { #expect(directory.mode(of: name) == 0o700) }
        directory.write("", to: "file")
        let error = #expect(throws: FileError.self) { try StandardDirectory.create(directory.file("file/x")) }
        #expect(error?.operation == .createDirectory)
    }
}

@Suite("ThreadExecutor", .endsWhenItHangs)
struct ThreadExecutorTests {
    private actor Worker {
        let thread = ThreadExecutor(name: "test")
        var log: [Int] = []
        var threads: Set<UInt> = []

        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        func add(_ number: Int) {
            log.append(number)
            threads.insert(UInt(pthread_self()))
        }
    }

    @Test("jobs run in order on one thread, which is not a caller's")
    func runsInOrder() async {
        let worker = Worker()
        for number in 0..<100 { await worker.add(number) }
        await withDiscardingTaskGroup { group in
            for _ in 0..<100 { group.addTask { await worker.add(-1) } }
        }
        #expect(await Array(worker.log.prefix(100)) == Array(0..<100))
        #expect(await worker.log.count == 200)
        #expect(await worker.threads.count == 1)
        #expect(await !worker.threads.contains(Self.currentThread()))
    }

    @Test("an actor that ends with its last job takes its executor with it")
    func endsWithItsJobs() async {
        for _ in 0..<Search.count(100) {
            await withDiscardingTaskGroup { group in
                let worker = Worker()
                for number in 0..<8 { group.addTask { [worker] in await worker.add(number) } }
            }
        }
    }

    private static nonisolated func currentThread() -> UInt { UInt(pthread_self()) }

    @Test("a signal that comes while the thread works is kept until it has time, whatever signals join it")
    func keepsSignals() async throws {
        let receiver = CountingReceiver(threadName: "test")
        var calls = receiver.calls.makeAsyncIterator()
        for round in 1...Search.count(10) {
            let (isHeld, end) = (Locked(false), DispatchSemaphore(value: 0))
            async let held: Void = receiver.hold(isHeld, until: end)
            try await waitUntil("the receiver's thread is held") { isHeld.withLock { $0 } }
            receiver.thread.signal(receiver, withinMilliseconds: 3_600_000)
            await Threads.run(2) { _ in receiver.thread.signal(receiver, withinMilliseconds: 1) }
            receiver.thread.signal(receiver, withinMilliseconds: 3_600_000)
            end.signal()
            await held
            #expect(await calls.next() == round)
        }
    }
}

@Suite("SystemTime", .endsWhenItHangs)
struct SystemTimeTests {
    @Test("a sleep of any length begins and can be cancelled", arguments: [Int64.max, 9_223_372_037])
    func longSleep(seconds: Int64) async throws {
        let sleep = Task { try await SystemTime().sleep(for: .seconds(seconds)) }
        await Task.yield()
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }
}
