import Glibc
import Synchronization

/// Marks that a process was asked to end, or ended with status 0, in files that outlive it.
///
/// Signals and the end of a process are the process's own, so this is the one thing here that belongs to the process: a table
/// of descriptors and the handlers that were there before.
///
/// A slot keeps its descriptor for ever and is only pointed at other files, by `dup2`: a handler that runs while a slot is
/// freed writes to the watch file or to `/dev/null`, never to a file that got the number of a closed descriptor.
enum ExitMarker {
    private typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    /// What is known of a slot outside of handlers.
    private struct Slot: Sendable {
        /// The watch file's own descriptor; nil if the slot is free.
        var file: Int32?
        /// The slot's descriptor and the process that opened it: in a forked child the number may be another file's.
        var descriptor: (number: Int32, process: pid_t)?
    }

    private static let slotCount = 64
    private static let signals = [SIGTERM, SIGINT]
    // Handlers cannot take a lock; they see each slot's process and descriptor in one word, or 0.
    nonisolated(unsafe) private static let slots = {
        let slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: slotCount)
        for slot in 0..<slotCount { (slots + slot).initialize(to: Atomic(0)) }
        return slots
    }()
    nonisolated(unsafe) private static let earlier = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()
    private static let table = Locked([Slot](repeating: Slot(), count: slotCount))
    // Once, and never removed: a handler that was set later may call this one.
    private static let installation: Void = {
        // What a handler touches must be there before it: it cannot make anything.
        _ = (slots, earlier)
        for signal in signals { install(signal) }
        _ = on_exit({ status, _ in if status == 0 { ExitMarker.mark(.survived) } }, nil)
    }()

    /// Sees to it that the process's end is marked, from the first call on. On the thread that makes a setup, so that
    /// a service's own handlers come either before or after it and not at the same time.
    static func install() {
        _ = installation
    }

    /// Marks a watch file from now on. Of more than 64 at a time, and without free descriptors, the others are not marked.
    /// - Parameter file: The file's descriptor, open until ``remove(_:)``.
    static func add(_ file: Int32) {
        let process = getpid()
        table.withLock { table in
            let isOwn = { (slot: Slot) in slot.file != nil && slot.descriptor?.process == process }
            guard !table.contains(where: { isOwn($0) && $0.file == file }),
                let slot = table.firstIndex(where: { !isOwn($0) })
            else { return }
            let number: Int32
            if let known = table[slot].descriptor, known.process == process {
                number = redirect(known.number, to: file)
            } else {
                number = fcntl(file, F_DUPFD_CLOEXEC, 3)
            }
            guard number >= 0 else { return }
            table[slot] = Slot(file: file, descriptor: (number, process))
            let word = UInt64(UInt32(bitPattern: process)) << 32 | UInt64(UInt32(bitPattern: number))
            slots[slot].store(word, ordering: .sequentiallyConsistent)
        }
    }

    /// Marks a watch file no longer.
    /// - Parameter file: The file's descriptor, as it was given to ``add(_:)``.
    static func remove(_ file: Int32) {
        let process = getpid()
        table.withLock { table in
            for slot in table.indices where table[slot].file == file {
                guard let descriptor = table[slot].descriptor, descriptor.process == process else { continue }
                slots[slot].store(0, ordering: .sequentiallyConsistent)
                table[slot].file = nil
                // The file's lock ends with its last descriptor. Without a free one the slot keeps it until it is used again.
                let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
                guard nothing >= 0 else { continue }
                _ = redirect(descriptor.number, to: nothing)
                close(nothing)
            }
        }
    }

    private static func redirect(_ descriptor: Int32, to file: Int32) -> Int32 {
        // Glibc's module has no dup3.
        let number = dup2(file, descriptor)
        if number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return number
    }

    /// Writes a mark to all files that are watched; a signal handler may call it.
    private static func mark(_ mark: StartupWatchdogFile.Mark) {
        let failure = errno
        defer { errno = failure }
        let process = getpid()
        for slot in 0..<slotCount {
            let word = slots[slot].load(ordering: .sequentiallyConsistent)
            guard word != 0, pid_t(truncatingIfNeeded: word >> 32) == process else { continue }
            let descriptor = Int32(truncatingIfNeeded: word)
            var byte: UInt8 = 0
            // A file that was truncated has no mark to replace.
            guard pread(descriptor, &byte, 1, 0) == 1, byte == StartupWatchdogFile.Mark.watching.rawValue else {
                continue
            }
            byte = mark.rawValue
            _ = pwrite(descriptor, &byte, 1, 0)
        }
    }

    private static let handler: Handler = { signal, information, context in
        ExitMarker.mark(.terminated)
        let action = ExitMarker.earlier[Int(signal)]
        if action.sa_flags & SA_SIGINFO != 0 {
            action.__sigaction_handler.sa_sigaction?(signal, information, context)
        } else if let handle = action.__sigaction_handler.sa_handler {
            handle(signal)
        } else {
            // The default, which is delivered as soon as this handler returns.
            Glibc.signal(signal, SIG_DFL)
            raise(signal)
        }
    }

    private static func install(_ signal: Int32) {
        var old = sigaction()
        // A service that ignores the signal, for example to use Dispatch, shuts down by itself.
        guard sigaction(signal, nil, &old) == 0, !isIgnored(old) else { return }
        earlier[Int(signal)] = old
        var new = old
        new.sa_flags = (old.sa_flags & ~Int32(bitPattern: UInt32(SA_RESETHAND))) | SA_SIGINFO
        new.__sigaction_handler.sa_sigaction = handler
        sigaction(signal, &new, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        withUnsafeBytes(of: action.__sigaction_handler) { $0.loadUnaligned(as: Int.self) }
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
