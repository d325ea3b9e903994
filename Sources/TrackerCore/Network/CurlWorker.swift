import TrackerCurl
import TrackerPlatform

/// The part of a ``CurlTransport`` on its thread: the waiting requests and those in progress.
struct CurlWorker {
    /// The maximum wait for work, in milliseconds: libcurl cannot wake the thread if the process had no descriptor free
    /// for that, and the end of a transport does not wake it either.
    private static let longestWait = 1000

    /// libcurl's handle, created for the first request; nil until then, which libcurl's functions reject.
    private var multi: OpaquePointer?
    private let limits: CurlTransport.Limits
    private var queue: ConnectionQueue<CurlTransfer.Order>
    /// The requests in progress; `server` is nil for streams, which do not count towards a server's bound.
    private var transfers: [UInt64: (transfer: CurlTransfer, server: String?)] = [:]
    /// The streams in progress.
    private var streams = 0 { didSet { boundConnections() } }

    /// Serves a transport's requests until it is gone.
    static func run(_ inbox: Locked<CurlTransport.Inbox>, _ limits: CurlTransport.Limits) {
        let queue = ConnectionQueue<CurlTransfer.Order>(
            most: limits.maxConnections, maxPerServer: limits.maxConnectionsPerHost)
        var worker = CurlWorker(limits: limits, queue: queue)
        worker.run(inbox)
    }

    private mutating func run(_ inbox: Locked<CurlTransport.Inbox>) {
        var stopped = false
        while !stopped {
            openMulti(inbox)
            let (added, cancelled, isStopping) = inbox.withLock { inbox in
                defer { (inbox.added, inbox.cancelled) = ([], []) }
                return (inbox.added, inbox.cancelled, inbox.stopped)
            }
            stopped = isStopping
            for order in added { add(order) }
            let ids = Set(cancelled)
            if stopped || !ids.isEmpty { cancel { isStopping || ids.contains($0) } }
            expire()
            var running: Int32 = 0
            // A completed transfer lets a waiting one start, which may complete at once; nothing would wake the thread.
            repeat {
                curl_multi_perform(multi, &running)
                finishTransfers()
            } while start()
            if !stopped { wait() }
        }
        curl_multi_cleanup(multi)
    }

    /// Waits for traffic, a time limit or a change of the inbox.
    private func wait() {
        let left = queue.nextDeadline.map { ($0 - Self.uptime) / .milliseconds(1) } ?? .infinity
        let milliseconds = Int32(min(max(left + 1, 1), Double(Self.longestWait)))
        // If libcurl cannot wait, because memory or its handle is missing, retrying at once would only burn the CPU.
        if curl_multi_poll(multi, nil, 0, milliseconds, nil) != CURLM_OK { usleep(10_000) }
    }

    /// Creates libcurl's handle if it does not exist.
    private mutating func openMulti(_ inbox: Locked<CurlTransport.Inbox>) {
        guard multi == nil, let multi = curl_multi_init() else { return }
        self.multi = multi
        boundConnections()
        inbox.withLock { $0.multi = multi }
    }

    private func boundConnections() {
        // libcurl keeps four idle connections per request in progress by default: one request at a time to each of five
        // servers would reuse none. The second bound closes idle connections before a new one exceeds it.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.maxConnections + streams)
        ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.maxConnections + streams)
    }

    // Not a test's clock, because libcurl uses the machine's.
    private static var uptime: Duration { SystemTime().uptime }

    private mutating func add(_ order: CurlTransfer.Order) {
        // Streams do not wait for others, because a stream may last for days.
        guard order.receive == nil else { return begin(order, nil) }
        // A timeout may be the longest duration.
        let wait = min(max(order.request.timeout, .zero), .seconds(1 << 40))
        let url = ParsedURL(order.request.url)
        queue.add(
            ConnectionQueue.Waiting(id: order.id, deadline: Self.uptime + wait, element: order),
            server: "\(order.request.url.prefix { $0 != ":" })://\(url.host ?? ""):\(url.port ?? "")".lowercased())
    }

    /// Starts the waiting requests that may start; returns whether it started any.
    private mutating func start() -> Bool {
        var hasStarted = false
        while let (order, server) = queue.next() {
            begin(order, server)
            hasStarted = true
        }
        return hasStarted
    }

    /// Starts a request in libcurl, or fails it.
    private mutating func begin(_ order: CurlTransfer.Order, _ server: String?) {
        let transfer = CurlTransfer(order, limits)
        guard let transfer, transfer.fault == nil, curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            if let server { queue.finished(server) }
            return order.fail(.failed, transfer?.fault?.reason ?? CurlTransfer.noMemory)
        }
        transfers[order.id] = (transfer, server)
        if server == nil { streams += 1 }
    }

    private mutating func expire() {
        let now = Self.uptime
        for order in queue.remove(where: { $0.deadline <= now }) {
            order.fail(.timeout, "no connection was free within \(order.request.timeout)")
        }
    }

    private mutating func cancel(_ isMeant: (UInt64) -> Bool) {
        let reason = "the request was cancelled"
        for order in queue.remove(where: { isMeant($0.id) }) { order.fail(.cancelled, reason) }
        for id in transfers.keys.filter(isMeant) { end(id)?.fail(.cancelled, reason) }
    }

    private mutating func finishTransfers() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = ccurl_result(message)
            guard let id = transfers.first(where: { $0.value.transfer.easy == easy })?.key else { continue }
            end(id)?.finish(code)
        }
    }

    private mutating func end(_ id: UInt64) -> CurlTransfer? {
        guard let (transfer, server) = transfers.removeValue(forKey: id) else { return nil }
        curl_multi_remove_handle(multi, transfer.easy)
        if let server { queue.finished(server) } else { streams -= 1 }
        return transfer
    }
}
