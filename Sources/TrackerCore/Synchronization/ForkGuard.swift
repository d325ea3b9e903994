import Glibc

/// Knows whether this process is the one that made it, without a system call.
///
/// The kernel wipes the guard's page in a forked child. There, locks may be held by threads that no longer exist and the
/// store's file belongs to the parent, so a tracker that was inherited only counts drops.
package final class ForkGuard: Sendable {
    nonisolated(unsafe) private let page: UnsafeMutablePointer<UInt8>
    private let size: Int

    // MADV_WIPEONFORK of <sys/mman.h>, which Swift does not see.
    private static let wipeOnFork: Int32 = 18

    package init() {
        size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        precondition(memory != MAP_FAILED, "no memory for a page")
        page = memory!.bindMemory(to: UInt8.self, capacity: size)
        page.pointee = 1
        // Without the advice (Linux before 4.14) the guard says "own process" for ever, as if it were not there.
        _ = madvise(memory, size, Self.wipeOnFork)
    }

    deinit {
        munmap(page, size)
    }

    /// False in a process that was forked after the guard was made.
    package var isOwnProcess: Bool { page.pointee == 1 }

    /// Reads or changes a locked value, also in a forked child: there a thread that no longer exists may hold the lock, so it is
    /// not waited for.
    /// - Parameters:
    ///   - locked: The value.
    ///   - body: What to do with it.
    /// - Returns: The result of `body`; nil in a forked child if the lock is taken.
    package func access<State, Result>(_ locked: Locked<State>, _ body: (inout State) -> Result) -> Result? {
        isOwnProcess ? locked.withLock(body) : locked.withLockIfFree(body)
    }
}
