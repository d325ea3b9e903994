package import Foundation

/// A child that is forked without `exec`, as prefork servers do; Swift hides `fork`.
///
/// In a process of its own only, where the child does more than look: what other threads have locked at the fork, in Swift's
/// runtime too, stays locked in the child.
package enum ForkedChild {
    /// Forks as soon as all other threads sleep. A child that hangs is ended.
    ///
    /// Threads that still work after a start may have locks of Swift's runtime, or the one that the child is about to try.
    /// - Returns: The child; 0 in the child itself.
    package static func start() -> pid_t {
        var last: [String]?
        while true {
            let sleepers = sleepingThreads()
            if let sleepers, sleepers == last { break }
            last = sleepers
            usleep(1000)
        }
        let symbol = dlsym(nil, "fork")
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            // Threads of the pool block all signals.
            var signals = sigset_t()
            sigemptyset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            // Long, because a busy machine may let a child wait.
            alarm(300)
        }
        return child
    }

    /// What the kernel says of all threads but the calling one, with how often each has slept.
    /// - Returns: Nil if one does not sleep.
    private static func sleepingThreads() -> [String]? {
        let directory = "/proc/self/task"
        let files = FileManager.default
        guard let own = try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self").split(separator: "/").last,
            let threads = try? files.contentsOfDirectory(atPath: directory).sorted()
        else { return nil }
        var sleepers: [String] = []
        for thread in threads where thread != own {
            // A `String` of this file would be empty.
            let file = try? FileHandle(forReadingFrom: URL(filePath: "\(directory)/\(thread)/status"))
            guard let data = try? file?.readToEnd() else { return nil }
            let status = String(decoding: data, as: UTF8.self)
            guard status.contains("State:\tS") else { return nil }
            sleepers.append(status)
        }
        return sleepers
    }

    /// Ends the child.
    package static func end(_ isRight: Bool) -> Never {
        _exit(isRight ? 42 : 1)
    }

    /// Lives on in the child until it is ended, without the pipes and sockets of its parent, for whose ends others wait.
    package static func live() -> Never {
        // Other tests have many open.
        for descriptor in Int32(3)..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) {
            var information = stat()
            guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT != S_IFREG else { continue }
            close(descriptor)
        }
        while true { pause() }
    }

    /// Waits for the child's end.
    /// - Returns: Whether the child ended itself, and found everything right.
    package static func wasRight(_ child: pid_t) -> Bool {
        var status: Int32 = 0
        return waitpid(child, &status, 0) == child && status & 0x7F == 0 && (status >> 8) & 0xFF == 42
    }
}
