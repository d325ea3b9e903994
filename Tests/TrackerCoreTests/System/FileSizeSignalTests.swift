import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("the limit on the size of files", .endsWhenItHangs, .mayBlock)
struct FileSizeSignalTests {
    @Test("ends no process whose threads take its signal, wherever a file is written and a store is opened")
    func survives() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let log = MemoryLog()
            let (code, isPending) = await Threads.run {
                var signals = sigset_t()
                sigemptyset(&signals)
                pthread_sigmask(SIG_SETMASK, &signals, nil)
                setLimit(10_000)
                defer { setLimit(unlimited) }
                var code: Int32?
                do throws(FileError) {
                    try [UInt8](repeating: 0, count: 20_000).write(to: directory.file("file"))
                } catch {
                    code = error.errorNumber
                }
                _ = EventPipeline(stateDirectory: directory.file("state"), log: log)
                sigpending(&signals)
                return (code, sigismember(&signals, SIGXFSZ) == 1)
            }
            #expect(code == EFBIG)
            #expect(!isPending)
            let lines = log.records.filter { $0.level == .error }.map(\.message)
            #expect(lines.count == 1)
            #expect(lines[0].hasPrefix("events are kept in memory only, where a kill would lose them: cannot write "))
            #expect(lines[0].contains("File too large"))
        }
    }
}

private let unlimited = rlim_t.max

/// Sets the largest size of a file that this process may write, in bytes.
private func setLimit(_ size: rlim_t) {
    var limit = rlimit(rlim_cur: size, rlim_max: unlimited)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}
