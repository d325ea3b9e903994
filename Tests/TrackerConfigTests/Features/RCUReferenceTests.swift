import Foundation
import Synchronization
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// What is replaced while it is read.
@Suite("Read-copy-update", .endsWhenItHangs)
struct RCUReferenceTests {
    /// Memory that outlasts its objects, so that reading one that is gone shows and is no crash.
    private final class Cells: Sendable {
        static let alive = 0x5AFE
        static let gone = 0xDEAD
        let capacity: Int
        let ended = Atomic<Int>(0)
        let endedByReaders = Atomic<Int>(0)
        /// The threads on which objects end.
        let ends = AsyncStream<UInt>.makeStream()
        // Plain memory on purpose: ThreadSanitizer complains where an end is not ordered after the last read.
        nonisolated(unsafe) let words: UnsafeMutablePointer<Int>

        init(_ capacity: Int) {
            self.capacity = capacity
            words = .allocate(capacity: capacity)
            words.initialize(repeating: 0, count: capacity)
        }

        deinit { words.deallocate() }

        var endedCount: Int { ended.load(ordering: .sequentiallyConsistent) }
    }

    private final class Object: Sendable {
        /// Whether the thread must release nothing.
        @TaskLocal static var isReader = false

        let number: Int
        private let cells: Cells

        init(_ number: Int, _ cells: Cells) {
            (self.number, self.cells) = (number, cells)
            cells.words[number] = Cells.alive
        }

        deinit {
            cells.words[number] = Cells.gone
            cells.ended.add(1, ordering: .sequentiallyConsistent)
            if Self.isReader { cells.endedByReaders.add(1, ordering: .sequentiallyConsistent) }
            cells.ends.continuation.yield(UInt(pthread_self()))
        }

        var isAlive: Bool { cells.words[number] == Cells.alive }
    }

    private let cells = Cells(100_000)
    // The background waits for this clock, which most tests leave alone.
    private let time = ManualTime()
    private let domain: RCUDomain

    init() {
        domain = RCUDomain(time: time)
    }

    private func published() -> RCUReference<Object> { RCUReference(Object(0, cells), in: domain) }

    @Test("nothing is let go of while one of several threads reads it, and all is in the end")
    func concurrent() async throws {
        let readers = 4
        let reads = 20_000
        let (left, dead, made) = (Locked(readers), Locked(0), Locked(1))
        do {
            let domain = RCUDomain(time: time)
            let published = RCUReference(Object(0, cells), in: domain)
            await Threads.run(readers + 1) { thread in
                if thread == 0 {
                    var number = 1
                    while number < cells.capacity, left.withLock({ $0 }) > 0 {
                        published.replace(with: Object(number, cells))
                        number += 1
                    }
                    made.withLock { [number] in $0 = number }
                    return
                }
                for round in 0..<reads {
                    let isAlive =
                        switch round % 3 {
                        case 0: published.read { $0.isAlive && $0.isAlive }
                        case 1: published.read(where: { $0.isAlive }, { $0.isAlive }, else: { false })
                        default: published.current.isAlive
                        }
                    if !isAlive { dead.withLock { $0 += 1 } }
                }
                left.withLock { $0 -= 1 }
            }
        }
        #expect(dead.withLock { $0 } == 0)
        // A thread lets go of its closure a moment after it has answered.
        while cells.endedCount < made.withLock({ $0 }) { try await yieldUnlessCancelled() }
        #expect(cells.endedCount == made.withLock { $0 })
    }

    @Test("what a thread reads stays while it reads, however often it is replaced, and goes with the next after that")
    func stays() async {
        let published = published()
        let (isInside, mayLeave) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        async let stayed = Threads.run {
            published.read { object in
                isInside.continuation.finish()
                mayLeave.wait()
                return object.number == 0 && object.isAlive
            }
        }
        for await _ in isInside.stream {}
        for number in 1...3 { published.replace(with: Object(number, cells)) }
        #expect(cells.endedCount == 0)
        mayLeave.signal()
        #expect(await stayed)
        published.replace(with: Object(4, cells))
        #expect(cells.endedCount == 4)
        #expect(published.read { $0.number } == 4)
    }

    @Test("without a reader each object goes when it is replaced")
    func goes() {
        let published = published()
        for number in 1...10 {
            published.replace(with: Object(number, cells))
            #expect(cells.endedCount == number)
        }
    }

    @Test("a reader may replace what it reads")
    func replacesInside() {
        let published = published()
        let isAlive = published.read { object in
            published.replace(with: Object(1, cells))
            return object.isAlive
        }
        #expect(isAlive)
        #expect(cells.endedCount == 0)
    }

    @Test("the other way to an answer is no reader, and the object that was kept alive stays")
    func otherWay() {
        let published = published()
        let kept = published.current
        let number = published.read(
            where: { $0.number == 1 }, { $0.number },
            else: {
                published.replace(with: Object(1, cells))
                published.replace(with: Object(2, cells))
                return cells.endedCount
            })
        // The second of three: the first is still held here.
        #expect(number == 1)
        #expect(kept.isAlive)
        #expect(published.read(where: { $0.number == 2 }, { $0.number }, else: { -1 }) == 2)
    }

    @Test("what is published ends with its publisher")
    func ends() {
        do {
            let published = published()
            published.replace(with: Object(1, cells))
        }
        #expect(cells.endedCount == 2)
    }

    /// Enters a read on a thread of its own.
    /// - Returns: What lets the thread leave, and returns once it has left.
    private func reader(of published: RCUReference<Object>) -> () -> Void {
        let (isInside, mayLeave, isOutside) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread {
            published.read { _ in
                isInside.signal()
                mayLeave.wait()
            }
            isOutside.signal()
        }.start()
        isInside.wait()
        return {
            mayLeave.signal()
            isOutside.wait()
        }
    }

    @Test("what was replaced while a thread read it is released once the thread has left, without another change")
    func background() async {
        let published = published()
        let leave = reader(of: published)
        published.replace(with: Object(1, cells))
        await time.waitForSleepers()
        time.advance(by: .milliseconds(1))
        // The thread still reads, so the background pauses again, for longer.
        await time.waitForSleep(in: .milliseconds(2)...(.milliseconds(2)))
        #expect(cells.endedCount == 0)
        leave()
        time.advance(by: .milliseconds(2))
        for await _ in cells.ends.stream { break }
        #expect(cells.endedCount == 1)
    }

    @Test("what a reader replaces is released on another thread, and goes with the next change if that comes first")
    func replacedByReader() async {
        let published = published()
        let readers = Locked<[UInt]>([])
        let (isDone, mayEnd) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        Thread { [cells] in
            published.replaceAsReader(with: .passRetained(Object(1, cells)))
            readers.withLock { $0 = [UInt(pthread_self())] }
            isDone.continuation.yield()
            // Another thread could get the number of one that has ended.
            mayEnd.wait()
        }.start()
        defer { mayEnd.signal() }
        for await _ in isDone.stream { break }
        #expect(cells.endedCount == 0)
        await time.waitForSleepers()
        time.advance(by: .milliseconds(1))
        for await thread in cells.ends.stream {
            #expect(!readers.withLock { $0 }.contains(thread))
            break
        }
        published.replaceAsReader(with: .passRetained(Object(2, cells)))
        #expect(cells.endedCount == 1)
        published.replace(with: Object(3, cells))
        #expect(published.read { $0.number } == 3)
        #expect(cells.words[2] == Cells.gone)
    }

    /// A clock of which each sleep ends at once.
    private struct NoPause: TimeSource {
        var now: Date { Date() }
        var uptime: Duration { .zero }
        func sleep(for duration: Duration) async throws {}
    }

    @Test("a reader's thread releases nothing that it replaced, also where the background is done before it returns")
    func releasesNothing() async {
        let published = RCUReference(Object(0, cells), in: RCUDomain(time: NoPause()))
        let rounds = 5000
        await Threads.run {
            Object.$isReader.withValue(true) {
                for round in 1...rounds {
                    published.replaceAsReader(with: .passRetained(Object(round, cells)))
                    while cells.endedCount < round { sched_yield() }
                }
            }
        }
        #expect(cells.endedByReaders.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test("of all that readers replace at one time each is released once, without a change by a writer")
    func manyReaders() async {
        let (readers, rounds) = (4, 2000)
        let domain = RCUDomain()
        let published = RCUReference(Object(0, cells), in: domain)
        let dead = Locked(0)
        await Threads.run(readers) { reader in
            for round in 0..<rounds {
                published.replaceAsReader(with: .passRetained(Object(1 + reader * rounds + round, cells)))
                if !published.read({ $0.isAlive && $0.isAlive }) { dead.withLock { $0 += 1 } }
            }
        }
        var left = readers * rounds
        for await _ in cells.ends.stream {
            left -= 1
            if left == 0 { break }
        }
        #expect(dead.withLock { $0 } == 0)
        #expect(cells.endedCount == readers * rounds)
        #expect(published.read { $0.isAlive })
    }
}
