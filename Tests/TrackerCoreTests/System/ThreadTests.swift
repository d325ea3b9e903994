import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

/// The SDK's threads, as the kernel shows them.
@Suite("Threads of the SDK", .endsWhenItHangs)
struct ThreadTests {
    /// The blocked signals of the threads of a name, each as a mask with bit 0 for signal 1.
    private func blockedSignals(ofThreads name: String) throws -> [UInt64] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { id in
            // A thread of another test may end meanwhile.
            let file = { (name: String) in
                try? String(contentsOfFile: "/proc/self/task/\(id)/\(name)", encoding: .utf8)
            }
            guard file("comm") == "\(name)\n", let status = file("status") else { return nil }
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            return line.flatMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
        }
    }

    @Test("threads have their names, block the process's signals, and leave those of their own faults alone")
    func signals() async throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        let transport = CurlTransport()
        let fetching = CurlTransport(threadName: "tracker-fetch")
        for transport in [transport, fetching] {
            _ = try await transport.send(HTTPTransportRequest(method: "GET", url: server.url))
        }
        let receiver = CountingReceiver(threadName: "a name longer than fifteen")
        var calls = receiver.calls.makeAsyncIterator()
        receiver.thread.signal(receiver, withinMilliseconds: 0)
        _ = await calls.next()
        for name in ["tracker-http", "tracker-fetch", "a name longer t"] {
            let masks = try blockedSignals(ofThreads: name)
            // A thread of another test that begins or ends has all signals blocked for a moment.
            let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]
            #expect(masks.contains { mask in faults.allSatisfy { mask & 1 << UInt64($0 - 1) == 0 } }, "\(name)")
            for mask in masks {
                for other in [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGUSR1, SIGCHLD, SIGALRM] {
                    #expect(mask & 1 << UInt64(other - 1) != 0, "\(name): \(other)")
                }
            }
        }
        withExtendedLifetime((transport, fetching, receiver)) {}
    }
}

/// An actor on a thread of its own that counts its signals.
actor CountingReceiver: SignalReceiver {
    let thread: ThreadExecutor
    /// The number of each call, from 1.
    nonisolated let calls: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    private var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(threadName: String) {
        thread = ThreadExecutor(name: threadName)
        (calls, continuation) = AsyncStream.makeStream()
    }

    func signalled() {
        count += 1
        continuation.yield(count)
    }

    /// Holds the thread until `end` is signalled.
    func hold(_ isHeld: Locked<Bool>, until end: DispatchSemaphore) {
        isHeld.withLock { $0 = true }
        end.wait()
    }
}
