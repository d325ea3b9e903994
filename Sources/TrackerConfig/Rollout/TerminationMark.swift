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
    private static let isInstalled = Locked(false)
    private static let exitHook: Void = {
        _ = on_exit({ status, _ in if status == 0 { TerminationMark.mark(.endedInOrder) } }, nil)
    }()

    /// Marks this address from now on. Of more than 64 at a time, the others are not.
    static func add(_ address: UnsafeMutablePointer<UInt8>) {
        isInstalled.withLock { isInstalled in
            let all = 0..<slotCount
            guard !all.contains(where: { slots[$0].address == address && slots[$0].process == getpid() }) else {
                return
            }
            let free = all.first { slots[$0].address == nil || slots[$0].process != getpid() }
            guard let free else { return }
            slots[free].process = getpid()
            slots[free].address = address
            if !isInstalled {
                _ = exitHook
                for signal in signals { install(signal) }
                isInstalled = true
            }
        }
    }

    /// Marks this address no longer.
    static func remove(_ address: UnsafeMutablePointer<UInt8>) {
        isInstalled.withLock { isInstalled in
            for slot in 0..<slotCount where slots[slot].address == address { slots[slot].address = nil }
            guard isInstalled, !(0..<slotCount).contains(where: { slots[$0].address != nil }) else { return }
            for signal in signals { uninstall(signal) }
            isInstalled = false
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
        new.sa_flags = (old.sa_flags & ~Int32(bitPattern: UInt32(SA_RESETHAND))) | SA_SIGINFO | SA_RESTART
        new.__sigaction_handler.sa_sigaction = handler
        sigaction(signal, &new, nil)
    }

    private static func uninstall(_ signal: Int32) {
        var current = sigaction()
        guard sigaction(signal, nil, &current) == 0, current.sa_flags & SA_SIGINFO != 0,
            address(current) == unsafeBitCast(handler, to: Int.self)
        else { return }
        var old = earlier[Int(signal)]
        sigaction(signal, &old, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        address(action) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func address(_ action: sigaction) -> Int {
        withUnsafeBytes(of: action.__sigaction_handler) { $0.loadUnaligned(as: Int.self) }
    }
}
