import CMemory
import Foundation

/// What the machine's clocks and counters say.
package enum Meter {
    /// A clock that never goes back and is the same in all processes, in nanoseconds.
    @inline(__always)
    package static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The CPU time of this process so far, of the user and the system together, in seconds.
    package static var cpuSeconds: Double {
        let usage = self.usage
        return usage.ru_utime.seconds + usage.ru_stime.seconds
    }

    /// The most memory that this process has had so far, in bytes.
    package static var peakResidentBytes: Int { usage.ru_maxrss * 1024 }

    /// The memory that this process has now, after what is free was given back, in bytes.
    package static var residentBytes: Int {
        give_back_free_memory()
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var usage: rusage {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Runs `body` on a thread of its own, as a service's thread does, and not on one of Swift's pool that the SDK needs.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
