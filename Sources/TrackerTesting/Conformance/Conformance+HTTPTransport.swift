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

/// Requests of a transport to a server.
private struct TransportCall: Sendable {
    typealias Answer = Result<HTTPTransportResponse, HTTPTransportError>

    let transport: any HTTPTransport
    let site: LoopbackSite

    /// Sends a request; nil if it takes too long.
    func send(_ path: String, _ edit: (inout HTTPTransportRequest) -> Void = { _ in }) async -> Answer? {
        var request = HTTPTransportRequest(method: "GET", url: site.url(path), maxResponseSize: 1 << 20)
        edit(&request)
        return await result(within: Conformance.patience) { [transport, request] in
            do throws(HTTPTransportError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
    }

    func checkRequests(_ promises: inout Promises) async {
        let headers = ["1", "2", "3"].map { HTTPHeader(name: "X-Conformance-\($0)", value: "value \($0); a=\"b\"") }
        let body = LoopbackSite.text
        let posted = await send("/echo?a=1&b=%20%C3%BC&c=") {
            ($0.method, $0.body) = ("POST", body)
            $0.headers = headers + [HTTPHeader(name: "Content-Type", value: "application/json; charset=utf-8")]
        }
        guard let request = site.requests(of: "/echo").first, case .success(let answer) = posted else {
            return promises.expect(false, "a POST request is answered", found: Self.text(posted))
        }
        promises.expect(request.method == "POST", "the method is the request's", found: request.method)
        promises.expect(
            request.target == "/echo?a=1&b=%20%C3%BC&c=", "path and query are sent as they are", found: request.target)
        promises.expect(request.body == body, "the body is sent as it is", found: "\(request.body.count) bytes")
        promises.expect(
            request.header("Content-Type") == "application/json; charset=utf-8", "Content-Type is the request's")
        let sent = request.headers.filter { $0.name.lowercased().hasPrefix("x-conformance-") }.map(\.value)
        promises.expect(sent == headers.map(\.value), "the headers are sent in their order", found: "\(sent)")
        promises.expect(
            answer.body == body, "the answer's body is returned as it is", found: "\(answer.body.count) bytes")
        let received = answer.headers.filter { ["x-first", "x-second"].contains($0.name.lowercased()) }.map(\.value)
        promises.expect(
            received == ["1", "a, b", "c", "2"],
            "the answer's headers are returned in their order, each of those with one name", found: "\(received)")
        _ = await send("/plain")
        let plain = site.requests(of: "/plain").first
        promises.expect(
            plain?.method == "GET" && plain?.body.isEmpty == true, "a request without a body is sent without one")
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                let body = Array("request \(number)".utf8)
                group.addTask {
                    let answer = await send("/echo") { ($0.method, $0.body) = ("POST", body) }
                    return if case .success(let response) = answer { response.body == body } else { false }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        promises.expect(
            answers.allSatisfy { $0 }, "each of 20 requests at one time gets its own answer",
            found: "\(answers.filter { $0 }.count)")
    }

    func checkAnswers(_ promises: inout Promises) async {
        for status in [200, 204, 304, 400, 404, 413, 429, 500, 503] {
            let answer = await send("/status/\(status)")
            guard case .success(let response) = answer else {
                promises.expect(
                    false, "an answer of status \(status) is returned and not thrown", found: Self.text(answer))
                continue
            }
            promises.expect(
                response.status == status, "the status is the answer's", found: "\(response.status) for \(status)")
            let hasBody = status != 204 && status != 304
            promises.expect(
                response.body == (hasBody ? LoopbackSite.text : []),
                "the body of an answer of status \(status) is returned")
        }
        let redirected = await send("/redirect")
        promises.expect(Self.status(redirected) == 302, "redirects are not followed", found: Self.text(redirected))
        let refused = await send("/retry")
        promises.expect(
            Self.status(refused) == 503 && site.requests(of: "/retry").count == 1,
            "a request is sent once, whatever its answer", found: "\(site.requests(of: "/retry").count) requests")
        let zeros = await send("/zeros")
        // What failed has no body; the promise below says how.
        let count = (try? zeros?.get())?.body.count
        promises.expect(
            count == LoopbackSite.largeSize, "a compressed body is returned decompressed",
            found: count.map { "\($0) of \(LoopbackSite.largeSize) bytes" } ?? Self.text(zeros))
    }

    func checkBounds(_ promises: inout Promises) async {
        for path in ["/large", "/zeros"] {
            let fitting = await send(path) { $0.maxResponseSize = LoopbackSite.largeSize }
            promises.expect(
                Self.status(fitting) == 200, "a body of maxResponseSize bytes is returned", found: Self.text(fitting))
            let excessive = await send(path) { $0.maxResponseSize = LoopbackSite.largeSize - 1 }
            promises.expect(
                Self.code(excessive) == .responseTooLarge,
                "a body of more than maxResponseSize bytes after decompression fails with responseTooLarge",
                found: Self.text(excessive))
        }
        let late = await send("/hang") { $0.timeout = .milliseconds(300) }
        promises.expect(
            Self.code(late) == .timeout, "a request whose time is over before the last byte fails with timeout",
            found: Self.text(late))
    }

    func checkFailures(_ promises: inout Promises) async {
        let cut = await send("/cut")
        promises.expect(
            Self.code(cut) == .failed, "an answer that is cut short fails with failed", found: Self.text(cut))
        if case .failure(let error) = cut {
            promises.expect(
                error.status == 200, "the error has the status of an answer whose head came before the failure",
                found: error.status.map { "\($0)" } ?? "nil")
        }
        let garbage = await send("/garbage")
        promises.expect(
            Self.code(garbage) == .failed, "an answer that is not HTTP fails with failed", found: Self.text(garbage))
        // A server of its own: over a connection that was in use before, some clients have to send a request twice.
        await promises.check("starting a second server") { promises in
            let second = try LoopbackSite()
            let call = TransportCall(transport: transport, site: second)
            let dropped = await call.send("/drop") { ($0.method, $0.body) = ("POST", LoopbackSite.text) }
            promises.expect(
                Self.code(dropped) == .failed && second.requests(of: "/drop").count == 1,
                "a request whose connection is closed without an answer fails with failed, and is not sent again",
                found: "\(Self.text(dropped)), \(second.requests(of: "/drop").count) requests")
            second.stop()
            let unreachable = await call.send("/plain")
            promises.expect(
                Self.code(unreachable) == .failed, "a request to a port that is closed fails with failed",
                found: Self.text(unreachable))
        }
    }

    func checkCancellation(_ promises: inout Promises) async {
        let request = HTTPTransportRequest(method: "GET", url: site.url("/hang?cancelled"), timeout: .seconds(600))
        let hangsBefore = site.requests(of: "/hang").count
        let task = Task { [transport] () -> Answer in
            do throws(HTTPTransportError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        let hasCome = await result(within: Conformance.patience) { [site] in
            await site.waitForRequests(hangsBefore + 1, of: "/hang")
            return true
        }
        task.cancel()
        guard hasCome != nil else { return promises.expect(false, "a second request to one server is sent") }
        let answer = await result(within: Conformance.patience) { await task.value }
        promises.expect(
            Self.code(answer) == .cancelled, "a request stops when its task is cancelled, and fails with cancelled",
            found: Self.text(answer))
    }

    private static func code(_ answer: Answer?) -> NamedCode<HTTPTransportError>? {
        if case .failure(let error) = answer { error.code } else { nil }
    }

    private static func status(_ answer: Answer?) -> Int? {
        if case .success(let response) = answer { response.status } else { nil }
    }

    private static func text(_ answer: Answer?) -> String {
        switch answer {
        case nil: "no end of the request"
        case .success(let response): "status \(response.status)"
        case .failure(let error): "\(error.code): \(error.reason)"
        }
    }
}
