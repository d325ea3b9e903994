import Dispatch
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
        let number: Int
        private let cells: Cells

        init(_ number: Int, _ cells: Cells) {
            (self.number, self.cells) = (number, cells)
            cells.words[number] = Cells.alive
        }

        deinit {
            cells.words[number] = Cells.gone
            cells.ended.add(1, ordering: .sequentiallyConsistent)
        }

        var isAlive: Bool { cells.words[number] == Cells.alive }
    }

    private let cells = Cells(20_000)

    @Test("nothing is let go of while one of several threads reads it, and all is in the end")
    func concurrent() async throws {
        let readers = 4
        let reads = Search.count(1000)
        let (left, dead, made) = (Locked(readers), Locked(0), Locked(1))
        do {
            let published = RCUReference(Object(0, cells), in: RCUDomain())
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
        try await waitUntil("all objects have ended") { cells.endedCount == made.withLock { $0 } }
    }

    @Test("what was replaced while a thread read it is released once the thread has left, without another change")
    func background() async throws {
        let time = ManualTime()
        let published = RCUReference(Object(0, cells), in: RCUDomain(time: time))
        let (isInside, mayLeave) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        async let isAlive = Threads.run {
            published.read { object in
                isInside.continuation.finish()
                mayLeave.wait()
                return object.number == 0 && object.isAlive
            }
        }
        for await _ in isInside.stream {}
        for number in 1...3 { published.replace(with: Object(number, cells)) }
        await time.waitForSleepers()
        time.advance(by: .milliseconds(1))
        // The thread still reads, so the background pauses again, for longer.
        await time.waitForSleep(in: .milliseconds(2)...(.milliseconds(2)))
        #expect(cells.endedCount == 0)
        mayLeave.signal()
        #expect(await isAlive)
        time.advance(by: .milliseconds(2))
        try await waitUntil("the replaced objects have ended") { cells.endedCount == 3 }
        #expect(published.read { $0.number } == 3)
    }

    @Test("of all that readers replace at one time each is released once, without a change by a writer")
    func manyReaders() async throws {
        let (readers, rounds) = (4, 200)
        let published = RCUReference(Object(0, cells), in: RCUDomain())
        let dead = Locked(0)
        await Threads.run(readers) { reader in
            for round in 0..<rounds {
                published.replaceAsReader(with: .passRetained(Object(1 + reader * rounds + round, cells)))
                if !published.read({ $0.isAlive && $0.isAlive }) { dead.withLock { $0 += 1 } }
            }
        }
        try await waitUntil("all replaced objects have ended") { cells.endedCount == readers * rounds }
        #expect(dead.withLock { $0 } == 0)
        #expect(published.read { $0.isAlive })
    }
}
