import Foundation

/// Marks that a process was asked to end, or ended with status 0, in memory that outlives it.
///
/// Signals and the end of a process are its own and nobody's part, so this is the one thing here that is the process's: a
/// table of addresses and the handlers that were there before.
enum TerminationMark {
    private struct Slot {
        var address: UnsafeMutablePointer<UInt8>?
        // A forked child inherits the table, and its end says nothing of its parent.
        var process: pid_t = 0
    }

    private typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    private static let slotCount = 64
    private static let signals = [SIGTERM, SIGINT]
    // Handlers cannot take a lock; they see each address or nil, which is written in one store.
    nonisolated(unsafe) private static let slots = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
        slots.initialize(repeating: Slot(), count: slotCount)
        return slots
    }()
    nonisolated(unsafe) private static let earlier = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()
    private static let freeSlots = Locked(Array(0..<slotCount))
    // Once, and never taken back: who set a handler of their own in the meantime may have kept this one to call it.
    private static let installation: Void = {
        // What a handler touches must be there before it: it cannot make anything.
        _ = (slots, earlier)
        for signal in signals { install(signal) }
        _ = on_exit({ status, _ in if status == 0 { TerminationMark.mark(.survived) } }, nil)
    }()

    /// Sees to it that the process's end is marked, from the first call on. On the thread that makes a setup, so that
    /// a service's own handlers come either before or after it and not at the same time.
    static func install() {
        _ = installation
    }

    /// Marks this address from now on. Of more than 64 at a time, the others are not.
    static func add(_ address: UnsafeMutablePointer<UInt8>) {
        freeSlots.withLock { free in
            let isKnown = (0..<slotCount).contains { slots[$0].address == address && slots[$0].process == getpid() }
            guard !isKnown, let slot = free.popLast() else { return }
            slots[slot].process = getpid()
            slots[slot].address = address
        }
    }

    /// Marks this address no longer.
    static func remove(_ address: UnsafeMutablePointer<UInt8>) {
        freeSlots.withLock { free in
            for slot in 0..<slotCount where slots[slot].address == address && slots[slot].process == getpid() {
                slots[slot].address = nil
                free.append(slot)
            }
        }
    }

    private static func mark(_ mark: WatchFile.Mark) {
        let process = getpid()
        for slot in 0..<slotCount {
            guard let address = slots[slot].address, slots[slot].process == process else { continue }
            if address.pointee == WatchFile.Mark.watching.rawValue { address.pointee = mark.rawValue }
        }
    }

    private static let handler: Handler = { signal, information, context in
        TerminationMark.mark(.terminated)
        let action = TerminationMark.earlier[Int(signal)]
        if action.sa_flags & SA_SIGINFO != 0 {
            action.__sigaction_handler.sa_sigaction?(signal, information, context)
        } else if let handle = action.__sigaction_handler.sa_handler {
            handle(signal)
        } else {
            // The default, which is delivered as soon as this handler returns.
            Foundation.signal(signal, SIG_DFL)
            raise(signal)
        }
    }

    private static func install(_ signal: Int32) {
        var old = sigaction()
        // Who ignores a signal, as services do that wait for it with Dispatch, has a way of their own to end.
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
