import TestSupport
import Testing
import TrackerCore

/// What happens to a value that is replaced.
@Suite("Locked", .endsWhenItHangs)
struct LockedTests {
    private final class Reader: Sendable {
        let lock: Locked<Reader?>
        let ended: Locked<Int>

        init(_ lock: Locked<Reader?>, _ ended: Locked<Int>) {
            (self.lock, self.ended) = (lock, ended)
        }

        deinit {
            // Within the lock this would wait for ever.
            lock.withLock { _ in }
            ended.withLock { $0 += 1 }
        }
    }

    @Test("a value that is exchanged ends outside the lock")
    func exchange() {
        let (lock, ended) = (Locked<Reader?>(nil), Locked(0))
        lock.exchange(Reader(lock, ended))
        lock.exchange(nil)
        #expect(ended.withLock { $0 } == 1)
        let pair = Locked<(Int, Int)>((1, 2))
        #expect(pair.exchange(\.1, 3) == 2)
        #expect(pair.withLock { $0 } == (1, 3))
    }

    @Test("what is discarded ends outside the lock")
    func discard() {
        let (lock, ended) = (Locked<Reader?>(nil), Locked(0))
        lock.exchange(Reader(lock, ended))
        lock.discard { reader in
            defer { reader = nil }
            return reader
        }
        #expect(ended.withLock { $0 } == 1)
    }

    @Test("a value of any size and alignment is kept, and ends with its lock")
    func keepsAnyValue() {
        #expect(Locked<Void>(()).withLock { _ in true })
        let wide = Locked(SIMD64<UInt64>(repeating: 7))
        wide.withLock { $0[63] = 8 }
        #expect(wide.withLock { $0[0] == 7 && $0[63] == 8 })
        let ended = Locked(0)
        do { _ = Locked<Reader?>(Reader(Locked(nil), ended)) }
        #expect(ended.withLock { $0 } == 1)
    }

    @Test("threads that find a lock taken for long wait until it is free")
    func waits() async {
        let lock = Locked(0)
        await Threads.run(4) { _ in
            lock.withLock { value in
                let seen = value
                // Longer than another thread tries again before it sleeps.
                let random = (0..<100_000).reduce(UInt64(1)) { random, _ in random &* 6_364_136_223_846_793_005 &+ 1 }
                value = random == 0 ? 0 : seen + 1
            }
        }
        #expect(lock.withLock { $0 } == 4)
    }
}
