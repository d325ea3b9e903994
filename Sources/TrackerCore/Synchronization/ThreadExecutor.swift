import Dispatch
import TrackerPlatform

/// The owner of a ``ThreadExecutor``, which receives the executor's signals.
package protocol SignalReceiver: Actor {
    /// Handles a signal; runs on the executor's thread.
    func signalled()
}

/// A serial executor on a thread of its own, for actors that do blocking work.
///
/// Swift's cooperative pool has a thread per core; an actor that waits for a disk or calls user code must not hold one
/// of them. ``signal(_:withinMilliseconds:)`` wakes the thread without the cost of a task, for a hot path. All waits
/// use the monotonic clock, so a step of the wall clock neither ends nor delays one.
package final class ThreadExecutor: SerialExecutor {
    /// The pending work of the thread.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        /// The one pending signal. All signals have the same receiver, so one run serves all of them.
        var signal: (deadline: DispatchTime, receiver: any SignalReceiver)?
        var stopped = false

        /// Moves the work that is due into `jobs`; nil if the thread must wait for more.
        mutating func takeWork(_ jobs: inout [UnownedJob]) -> (receiver: (any SignalReceiver)?, stopped: Bool)? {
            let isDue = signal.map { $0.deadline <= .now() } ?? false
            guard isDue || stopped || !self.jobs.isEmpty else { return nil }
            swap(&jobs, &self.jobs)
            defer { if isDue { signal = nil } }
            return (isDue ? signal?.receiver : nil, stopped)
        }
    }

    /// The part that the thread retains, so that the executor itself can be released.
    private final class Mailbox: Sendable {
        let inbox = Locked(Inbox())
        let condition = MonotonicCondition()
        let threadID = Locked<pthread_t?>(nil)
    }

    private let mailbox = Mailbox()

    /// Starts the thread.
    /// - Parameter name: The thread's name, as a debugger shows it; at most 15 characters are kept by Linux.
    package init(name: String) {
        let mailbox = self.mailbox
        let executor = asUnownedSerialExecutor()
        WorkerThread.start(name: name) {
            mailbox.threadID.withLock { $0 = pthread_self() }
            Self.run(mailbox, executor: executor)
        }
    }

    deinit {
        let mailbox = self.mailbox
        mailbox.inbox.withLock { inbox in
            inbox.stopped = true
            mailbox.condition.signal()
        }
    }

    /// Asks the thread to call ``SignalReceiver/signalled()``, at the latest after a delay; one call serves all signals
    /// until then. The receiver is retained until the call.
    /// - Parameters:
    ///   - receiver: The actor that has this executor, the same one in each call.
    ///   - milliseconds: The time for later signals to share the call; 0 for at once.
    package func signal(_ receiver: any SignalReceiver, withinMilliseconds milliseconds: Int) {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        mailbox.inbox.withLock { inbox in
            if let earlier = inbox.signal, earlier.deadline <= deadline { return }
            inbox.signal = (deadline, receiver)
            mailbox.condition.signal()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mailbox = self.mailbox
        // The caller holds no reference to the executor, and the job may release the last one right after the lock.
        mailbox.inbox.withLock { inbox in
            inbox.jobs.append(job)
            mailbox.condition.signal()
        }
    }

    package func checkIsolated() {
        let isOwnThread = mailbox.threadID.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        precondition(isOwnThread, "not on the executor's thread")
    }

    private static func run(_ mailbox: Mailbox, executor: UnownedSerialExecutor) {
        var jobs: [UnownedJob] = []
        while true {
            let (receiver, stopped) = mailbox.inbox.withLock(
                waitingFor: mailbox.condition, until: { $0.signal?.deadline }, { $0.takeWork(&jobs) })
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: true)
            if let receiver { call(receiver) }
            if stopped { return }
        }
    }

    private static func call(_ receiver: some SignalReceiver) {
        receiver.assumeIsolated { $0.signalled() }
    }
}
