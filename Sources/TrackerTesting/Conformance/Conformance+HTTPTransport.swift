public import TrackerCore
import TrackerLoopbackServer

extension Conformance {
    /// Checks a transport against servers on this machine, at 127.0.0.1.
    ///
    /// ```swift
    /// try await Conformance.check(CurlTransport())
    /// ```
    /// - Parameter transport: The transport.
    /// - Throws: ``ConformanceError`` if it breaks a promise of `HTTPTransport`, or if no server can be started.
    public static func check(_ transport: any HTTPTransport) async throws(ConformanceError) {
        var promises = Promises(of: "HTTPTransport", by: transport)
        await promises.check("starting a server") { promises in
            let site = try LoopbackSite()
            defer { site.stop() }
            let call = TransportCall(transport: transport, site: site)
            await call.checkRequests(&promises)
            await call.checkAnswers(&promises)
            await call.checkBounds(&promises)
            await call.checkFailures(&promises)
            await call.checkCancellation(&promises)
        }
        try promises.finish()
    }
}

/// The result of a request.
private struct Ending: Sendable {
    var response: HTTPTransportResponse?
    var error: HTTPTransportError?

    var words: String { response.map { "status \($0.status)" } ?? error.map { "\($0.code)" } ?? "no end" }

    static func of(_ request: HTTPTransportRequest, by transport: any HTTPTransport) async -> Ending {
        do throws(HTTPTransportError) {
            return Ending(response: try await transport.send(request))
        } catch {
            return Ending(error: error)
        }
    }
}

/// Requests of a transport to a server.
private struct TransportCall: Sendable {
    let transport: any HTTPTransport
    let site: LoopbackSite

    /// Sends a request.
    func send(_ path: String, _ edit: (inout HTTPTransportRequest) -> Void = { _ in }) async -> Ending {
        var request = HTTPTransportRequest(method: "GET", url: site.url(path), maxResponseSize: 1 << 20)
        edit(&request)
        return await result(within: Conformance.patience) { [transport, request] in
            await Ending.of(request, by: transport)
        } ?? Ending()
    }

    func checkRequests(_ promises: inout Promises) async {
        let headers = ["1", "2", "3"].map { HTTPHeader(name: "X-Conformance-\($0)", value: "value \($0); a=\"b\"") }
        let (target, type) = ("/echo?a=1&b=%20%C3%BC&c=", "application/json; charset=utf-8")
        let posted = await send(target) {
            ($0.method, $0.body) = ("POST", LoopbackSite.text)
            $0.headers = headers + [HTTPHeader(name: "Content-Type", value: type)]
        }
        promises.expect(posted.words, is: "status 200", "a POST request is answered")
        guard let request = site.requests(of: "/echo").first, let answer = posted.response else { return }
        promises.expect(request.method, is: "POST", "the method is the request's")
        promises.expect(request.target, is: target, "path and query are sent as they are")
        promises.expect(request.body, is: LoopbackSite.text, "the body is sent as it is")
        promises.expect(request.header("Content-Type"), is: type, "Content-Type is the request's")
        let sent = request.headers.filter { $0.name.lowercased().hasPrefix("x-conformance-") }
        promises.expect(sent.map(\.value), is: headers.map(\.value), "the headers are sent in their order")
        promises.expect(answer.body, is: LoopbackSite.text, "the answer's body is returned as it is")
        let received = answer.headers.filter { ["x-first", "x-second"].contains($0.name.lowercased()) }
        promises.expect(
            received.map(\.value), is: ["1", "a, b", "c", "2"],
            "the answer's headers are returned in their order, each of those with one name")
        _ = await send("/plain")
        let plain = site.requests(of: "/plain").first
        promises.expect(
            plain?.method == "GET" && plain?.body.isEmpty == true, "a request without a body is sent without one")
        let answers = await withTaskGroup(of: Bool.self) { group in
            for body in (1...20).map({ Array("request \($0)".utf8) }) {
                group.addTask { await send("/echo") { ($0.method, $0.body) = ("POST", body) }.response?.body == body }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        promises.expect(answers, is: 20, "each of 20 requests at one time gets its own answer")
    }

    func checkAnswers(_ promises: inout Promises) async {
        for status in [200, 204, 304, 400, 404, 413, 429, 500, 503] {
            let answer = await send("/status/\(status)")
            guard let response = answer.response else {
                promises.expect(answer.words, is: "", "an answer of status \(status) is returned and not thrown")
                continue
            }
            promises.expect(response.status, is: status, "the status is the answer's")
            promises.expect(
                response.body, is: status == 204 || status == 304 ? [] : LoopbackSite.text,
                "the body of an answer of status \(status) is returned")
        }
        promises.expect(await send("/redirect").words, is: "status 302", "redirects are not followed")
        let refused = await send("/retry").words
        promises.expect(
            [refused, "requests: \(site.requests(of: "/retry").count)"], is: ["status 503", "requests: 1"],
            "a request is sent once, whatever its answer")
        promises.expect(
            await send("/zeros").response?.body.count, is: LoopbackSite.largeSize,
            "a compressed body is returned decompressed")
    }

    func checkBounds(_ promises: inout Promises) async {
        for path in ["/large", "/zeros"] {
            let fitting = await send(path) { $0.maxResponseSize = LoopbackSite.largeSize }
            promises.expect(fitting.words, is: "status 200", "a body of maxResponseSize bytes is returned")
            let excessive = await send(path) { $0.maxResponseSize = LoopbackSite.largeSize - 1 }
            promises.expect(
                excessive.error?.code, is: .responseTooLarge,
                "a body of more than maxResponseSize bytes after decompression fails with responseTooLarge")
        }
        let late = await send("/hang") { $0.timeout = .milliseconds(300) }
        promises.expect(
            late.error?.code, is: .timeout, "a request whose time is over before the last byte fails with timeout")
    }

    func checkFailures(_ promises: inout Promises) async {
        let cut = await send("/cut")
        promises.expect(cut.error?.code, is: .failed, "an answer that is cut short fails with failed")
        promises.expect(
            cut.error?.status, is: 200, "the error has the status of an answer whose head came before the failure")
        promises.expect(
            await send("/garbage").error?.code, is: .failed, "an answer that is not HTTP fails with failed")
        // A separate server: over a connection that was in use before, some clients have to send a request twice.
        await promises.check("starting a second server") { promises in
            let second = try LoopbackSite()
            let call = TransportCall(transport: transport, site: second)
            let dropped = await call.send("/drop") { ($0.method, $0.body) = ("POST", LoopbackSite.text) }
            promises.expect(
                [dropped.words, "requests: \(second.requests(of: "/drop").count)"], is: ["failed", "requests: 1"],
                "a request whose connection is closed without an answer fails with failed, and is not sent again")
            second.stop()
            promises.expect(
                await call.send("/plain").error?.code, is: .failed,
                "a request to a port that is closed fails with failed")
        }
    }

    func checkCancellation(_ promises: inout Promises) async {
        let request = HTTPTransportRequest(method: "GET", url: site.url("/cancelled"), timeout: .seconds(600))
        let task = Task { [transport] in await Ending.of(request, by: transport) }
        let hasCome = await result(within: Conformance.patience) { [site] in await site.hangs.value }
        task.cancel()
        guard hasCome != nil else { return promises.expect(false, "a second request to one server is sent") }
        let ending = await result(within: Conformance.patience) { await task.value }
        promises.expect(
            ending?.error?.code, is: .cancelled,
            "a request stops when its task is cancelled, and fails with cancelled")
    }
}
