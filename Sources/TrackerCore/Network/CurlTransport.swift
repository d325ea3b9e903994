import CCurl
import Foundation

/// The transport over libcurl: one thread, connections kept and reused, nothing on Swift's pool.
///
/// libcurl silently sends a request once more where a reused connection turned out to be dead before any answer; a
/// collector may then see it twice.
public final class CurlTransport: HTTPTransport {
    /// What other threads leave for the transport's own.
    private struct Inbox: Sendable {
        var added: [CurlTransfer.Order] = []
        var cancelled: [UInt64] = []
        var nextID: UInt64 = 0
        var stopped = false
    }

    private let inbox = Locked(Inbox())
    // libcurl allows `curl_multi_wakeup` from any thread; all else is done on the transport's own.
    nonisolated(unsafe) private let multi: OpaquePointer?

    /// Starts the transport's thread.
    public init() {
        _ = Self.isInitialised
        multi = curl_multi_init()
        nonisolated(unsafe) let multi = self.multi
        let inbox = self.inbox
        guard multi != nil else { return }
        let thread = Thread {
            prepareThread(name: "tracker-http")
            Self.run(multi, inbox)
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    deinit {
        // Under the lock: as soon as it is free, the thread may see the end and free what is woken here.
        inbox.withLock { inbox in
            inbox.stopped = true
            if let multi { curl_multi_wakeup(multi) }
        }
    }

    // libcurl wants to be initialised once, before its first use.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends a request and waits for the whole answer, whatever its status.
    /// - Parameter request: What to send.
    /// - Returns: The answer.
    /// - Throws: ``HTTPTransportError`` where no whole answer came.
    public func send(_ request: HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse {
        guard multi != nil else { throw HTTPTransportError(.failed, reason: "libcurl could not be initialised") }
        let id = inbox.withLock { inbox in
            inbox.nextID += 1
            return inbox.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.withLock { inbox in
                    inbox.added.append(CurlTransfer.Order(id: id, request: request, answer: continuation))
                    // A cancellation that came before the request found nothing to cancel.
                    if Task.isCancelled { inbox.cancelled.append(id) }
                }
                curl_multi_wakeup(multi)
            }
        } onCancel: {
            inbox.withLock { $0.cancelled.append(id) }
            curl_multi_wakeup(multi)
        }
        return try result.get()
    }

    private static func run(_ multi: OpaquePointer?, _ inbox: Locked<Inbox>) {
        var transfers: [UInt64: CurlTransfer] = [:]
        var stopped = false
        while !stopped {
            let (added, cancelled, isStopping) = inbox.withLock { inbox in
                defer { (inbox.added, inbox.cancelled) = ([], []) }
                return (inbox.added, inbox.cancelled, inbox.stopped)
            }
            stopped = isStopping
            for order in added {
                if let transfer = CurlTransfer(order), curl_multi_add_handle(multi, transfer.easy) == CURLM_OK {
                    transfers[order.id] = transfer
                } else {
                    order.answer.resume(
                        returning: .failure(HTTPTransportError(.failed, reason: "libcurl has no memory for a request")))
                }
            }
            for id in stopped ? Array(transfers.keys) : cancelled {
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                curl_multi_remove_handle(multi, transfer.easy)
                transfer.finish(with: HTTPTransportError(.cancelled, reason: "the request was cancelled"))
            }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
                let code = ccurl_result(message)
                guard let transfer = transfers.removeValue(forKey: CurlTransfer.id(of: easy)) else { continue }
                curl_multi_remove_handle(multi, easy)
                transfer.finish(code)
            }
            if !stopped { curl_multi_poll(multi, nil, 0, 60_000, nil) }
        }
        curl_multi_cleanup(multi)
    }
}
