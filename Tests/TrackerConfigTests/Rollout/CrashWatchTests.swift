import Dispatch
import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig

@Suite("CrashWatch", .endsWhenItHangs)
struct CrashWatchTests {
    private let directory = TemporaryDirectory()

    @Test("what one thread begins to watch, others end once each")
    func endsOnce() throws {
        var endings: [CrashWatch.Ending] = []
        let watch = try CrashWatch(prefix: directory.file("watch-"), endings: &endings)
        let ended = Locked<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            if thread == 0 {
                for version in 1...50_000 { watch.begin(version) }
            } else {
                let versions = (0..<50_000).compactMap { _ in watch.survive() }
                ended.withLock { $0 += versions }
            }
        }
        let versions = ended.withLock { $0 } + [watch.survive()].compactMap(\.self)
        #expect(!versions.isEmpty)
        #expect(Set(versions).count == versions.count)
        #expect(watch.watched == nil)
    }
}
