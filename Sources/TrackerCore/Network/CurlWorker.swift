import Glibc
import TrackerCurl

/// The part of a ``CurlTransport`` that lives on its thread: the requests that wait and those in progress.
struct CurlWorker {
    /// How many milliseconds the thread waits at most while it cannot be woken.
    private static let deafWait = 100

    /// libcurl's handle, from the first request on for which it can be made; libcurl's functions refuse nil.
    private var multi: OpaquePointer?
    private let limits: CurlTransport.Limits
    private let log: Log
    private var queue: ConnectionQueue<CurlTransfer.Order>
    /// The requests in progress; those that count to a server's have one.
    private var transfers: [UInt64: (transfer: CurlTransfer, server: String?)] = [:]
    /// The streams in progress.
    private var streams = 0 { didSet { boundConnections() } }
    private var isDeaf = false

    private init(_ limits: CurlTransport.Limits, _ log: Log) {
        self.limits = limits
        self.log = log
        queue = ConnectionQueue(most: limits.maxConnections, maxPerServer: limits.maxConnectionsPerHost)
    }

    /// Serves a transport's requests until it is gone.
    static func run(
        _ inbox: Locked<CurlTransport.Inbox>, _ news: PollSignal, _ limits: CurlTransport.Limits, _ log: Log
    ) {
        var worker = CurlWorker(limits, log)
        worker.run(inbox, news)
    }

    private mutating func run(_ inbox: Locked<CurlTransport.Inbox>, _ news: PollSignal) {
        var stopped = false
        while !stopped {
            // Before the look into the inbox, so that what comes after it is signalled.
            let descriptor = news.prepare()
            note(isDeaf: descriptor == nil)
            let (added, cancelled, isStopping) = inbox.withLock { inbox in
                defer { (inbox.added, inbox.cancelled) = ([], []) }
                return (inbox.added, inbox.cancelled, inbox.stopped)
            }
            stopped = isStopping
            for order in added { add(order) }
            for id in cancelled { cancel(id) }
            if stopped { cancelAll() }
            expire()
            start()
            var running: Int32 = 0
            // A transfer that ended lets a waiting one start, which may end at once too: nothing would wake the thread for that.
            repeat {
                curl_multi_perform(multi, &running)
            } while finishTransfers() && start()
            if !stopped { wait(for: news, descriptor) }
        }
        curl_multi_cleanup(multi)
    }

    /// Waits for traffic, a time limit or news.
    private func wait(for news: PollSignal, _ descriptor: Int32?) {
        var entry = curl_waitfd(fd: descriptor ?? -1, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let most = Int32(descriptor == nil ? min(milliseconds, Self.deafWait) : milliseconds)
        // If libcurl cannot wait, because memory or its handle is missing, retrying at once would only burn the CPU.
        if curl_multi_poll(multi, &entry, descriptor == nil ? 0 : 1, most, nil) != CURLM_OK { usleep(10_000) }
        if entry.revents != 0 { news.clear() }
    }

    private mutating func note(isDeaf: Bool) {
        if isDeaf, !self.isDeaf {
            log.warning(
                "no file descriptor is free to wake the network's thread: until one is, it looks for requests every \(Self.deafWait) ms"
            )
        }
        self.isDeaf = isDeaf
    }

    /// Makes libcurl's handle unless it is there.
    private mutating func openMulti() -> OpaquePointer? {
        if let multi { return multi }
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        boundConnections()
        return multi
    }

    private func boundConnections() {
        // libcurl's own bound is four idle connections per request under way: one request at a time to each of five servers
        // would reuse none. The second bound closes idle connections before a new one exceeds it.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limits.maxConnections + streams)
        ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.maxConnections + streams)
    }

    /// The longest time to wait for something to do.
    private var milliseconds: Int {
        let most = Duration.seconds(60)
        let left = queue.nextDeadline.map { $0 - Self.uptime } ?? most
        return Int(min(max(left, .zero), most) / .milliseconds(1)) + 1
    }

    // Not a clock that a test moves: libcurl counts by the machine's too.
    private static var uptime: Duration { SystemTime().uptime }

    private mutating func add(_ order: CurlTransfer.Order) {
        // A stream that waited for others to end could wait for days.
        guard order.receive == nil else {
            if let failure = begin(order, nil) { order.fail(.failed, failure) }
            return
        }
        // A timeout may be as long as a duration can be.
        let wait = min(max(order.request.timeout, .zero), .seconds(1 << 40))
        queue.add(order, id: order.id, server: Self.server(of: order.request.url), deadline: Self.uptime + wait)
    }

    /// The scheme, host and port of a URL, as they are written.
    private static func server(of url: String) -> String {
        guard let separator = url.firstRange(of: "://") else { return url }
        let authority = url[separator.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        return "\(url[..<separator.upperBound])\(host)".lowercased()
    }

    @discardableResult
    private mutating func start() -> Bool {
        var hasStarted = false
        while let (order, server) = queue.next() {
            if let failure = begin(order, server) {
                queue.finished(server)
                order.fail(.failed, failure)
            } else {
                hasStarted = true
            }
        }
        return hasStarted
    }

    /// Hands a request to libcurl; returns why if that is not possible.
    private mutating func begin(_ order: CurlTransfer.Order, _ server: String?) -> String? {
        guard let multi = openMulti(), let transfer = CurlTransfer(order, maxIdleTime: limits.maxIdleTime) else {
            return "libcurl has no memory for a request"
        }
        guard !transfer.trustsOthers else {
            return "libcurl cannot trust the certificate file instead of the system's certificates"
        }
        if server == nil { streams += 1 }
        guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            if server == nil { streams -= 1 }
            return "libcurl has no memory for a request"
        }
        transfers[order.id] = (transfer, server)
        return nil
    }

    private mutating func expire() {
        for order in queue.removeExpired(at: Self.uptime) {
            order.fail(.timeout, "no connection was free within \(order.request.timeout)")
        }
    }

    private mutating func cancel(_ id: UInt64) {
        if let order = queue.remove(id) { order.fail(.cancelled, Self.cancelled) }
        guard let transfer = end(id) else { return }
        transfer.finishCancelled(Self.cancelled)
    }

    private mutating func cancelAll() {
        for order in queue.removeAll() { order.fail(.cancelled, Self.cancelled) }
        for id in transfers.keys { cancel(id) }
    }

    private static let cancelled = "the request was cancelled"

    private mutating func finishTransfers() -> Bool {
        var hasFinished = false
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = ccurl_result(message)
            guard let transfer = end(CurlTransfer.id(of: easy)) else { continue }
            transfer.finish(code)
            hasFinished = true
        }
        return hasFinished
    }

    private mutating func end(_ id: UInt64) -> CurlTransfer? {
        guard let (transfer, server) = transfers.removeValue(forKey: id) else { return nil }
        curl_multi_remove_handle(multi, transfer.easy)
        if let server { queue.finished(server) } else { streams -= 1 }
        return transfer
    }
}

extension CurlTransfer.Order {
    fileprivate func fail(_ code: NamedCode<HTTPTransportError>, _ reason: String) {
        answer.resume(returning: .failure(HTTPTransportError(code, reason: reason)))
    }
}
