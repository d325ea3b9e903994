import Dispatch
import Glibc

/// A serial executor on a thread of its own, for actors that do blocking work.
///
/// Swift's cooperative pool has a thread per core; an actor that waits for a disk or calls user code must not hold one
/// of them. ``signal(withinMilliseconds:action:)`` wakes the thread without the cost of a task, which is what a hot path needs.
package final class ThreadExecutor: SerialExecutor {
    /// What the thread finds when it wakes.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var signal: (deadline: DispatchTime, action: @Sendable () -> Void)?
        var stopped = false
    }

    /// The part that the thread keeps, so that the executor itself can go.
    private final class Mailbox: Sendable {
        let inbox = Locked(Inbox())
        let semaphore = DispatchSemaphore(value: 0)
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
        mailbox.inbox.withLock { $0.stopped = true }
        mailbox.semaphore.signal()
    }

    /// Asks the thread to run an action, at the latest after a delay; one run serves all signals until then.
    /// - Parameters:
    ///   - milliseconds: The time that later signals have to join, 0 for at once.
    ///   - action: What to run; of signals that are served together, one's action runs.
    package func signal(withinMilliseconds milliseconds: Int, action: @escaping @Sendable () -> Void) {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        let isNews = mailbox.inbox.withLock { inbox in
            if let earlier = inbox.signal, earlier.deadline <= deadline { return false }
            inbox.signal = (deadline, action)
            return true
        }
        if isNews { mailbox.semaphore.signal() }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mailbox = self.mailbox
        // The caller holds no reference to the executor, and the job may release the last one, at once after the lock.
        mailbox.inbox.withLock { inbox in
            inbox.jobs.append(job)
            mailbox.semaphore.signal()
        }
    }

    package func checkIsolated() {
        let isOwnThread = mailbox.threadID.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
        precondition(isOwnThread, "not on the executor's thread")
    }

    private static func run(_ mailbox: Mailbox, executor: UnownedSerialExecutor) {
        var jobs: [UnownedJob] = []
        while true {
            let deadline = mailbox.inbox.withLock { $0.signal?.deadline }
            _ = mailbox.semaphore.wait(timeout: deadline ?? .distantFuture)
            let (action, stopped) = mailbox.inbox.withLock { inbox in
                swap(&jobs, &inbox.jobs)
                let isDue = inbox.signal.map { $0.deadline <= .now() } ?? false
                defer { if isDue { inbox.signal = nil } }
                return (isDue ? inbox.signal?.action : nil, inbox.stopped)
            }
            for job in jobs { job.runSynchronously(on: executor) }
            jobs.removeAll(keepingCapacity: true)
            action?()
            if stopped { return }
        }
    }
}
