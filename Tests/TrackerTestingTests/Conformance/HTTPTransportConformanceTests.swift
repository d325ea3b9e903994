import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("Conformance of HTTPTransport", .endsWhenItHangs)
struct HTTPTransportConformanceTests {
    @Test("the library's transport keeps all promises")
    func own() async throws {
        try await Conformance.check(CurlTransport())
    }

    @Test("each broken promise is found, also beside others", arguments: BrokenTransport.groups)
    func broken(defects: Set<BrokenTransport.Defect>) async {
        await expectBroken(defects.map(\.rawValue)) { try await Conformance.check(BrokenTransport(defects)) }
    }
}

/// A transport that breaks some promises.
struct BrokenTransport: HTTPTransport {
    /// All defects, each beside others of which none hides it, because a check makes some fifty requests.
    static let groups: [Set<Defect>] = {
        let groups: [Set<Defect>] = [
            [.failsPosts, .roundsStatus, .ignoresSize, .acceptsCut], [.changesBody, .throwsStatus], [.cutsAnswers],
        ]
        return groups + [groups.reduce(Set(Defect.allCases)) { $0.subtracting($1) }]
    }()

    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case failsPosts = "a POST request is answered"
        case losesQuery = "path and query are sent as they are"
        case changesBody = "the body is sent as it is"
        case losesContentType = "Content-Type is the request's"
        case reversesHeaders = "the headers are sent in their order"
        case cutsAnswers = "the answer's body is returned as it is"
        case mergesHeaders = "the answer's headers are returned in their order, each of those with one name"
        case addsBody = "a request without a body is sent without one"
        case mixesAnswers = "each of 20 requests at one time gets its own answer"
        case throwsStatus = "an answer of status 404 is returned and not thrown"
        case roundsStatus = "the status is the answer's"
        case dropsErrorBodies = "the body of an answer of status 500 is returned"
        case followsRedirects = "redirects are not followed"
        case triesAgain = "a request is sent once, whatever its answer"
        case leavesCompressed = "a compressed body is returned decompressed"
        case refusesFull = "a body of maxResponseSize bytes is returned"
        case ignoresSize = "a body of more than maxResponseSize bytes after decompression fails with responseTooLarge"
        case hidesTimeout = "a request whose time is over before the last byte fails with timeout"
        case acceptsCut = "an answer that is cut short fails with failed"
        case losesStatus = "the error has the status of an answer whose head came before the failure"
        case acceptsGarbage = "an answer that is not HTTP fails with failed"
        case repeatsDropped =
            "a request whose connection is closed without an answer fails with failed, and is not sent again"
        case hidesOutage = "a request to a port that is closed fails with failed"
        case hidesCancellation = "a request stops when its task is cancelled, and fails with cancelled"
    }

    private let defects: Set<Defect>
    private let transport = CurlTransport()

    init(_ defects: Set<Defect>) {
        self.defects = defects
    }

    private func has(_ defect: Defect) -> Bool { defects.contains(defect) }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        do throws(HTTPTransportError) {
            return try await answer(to: request, try await transport.send(changed(request)))
        } catch {
            if let status = status(hiding: error, of: request) { return HTTPTransportResponse(status: status) }
            if has(.repeatsDropped), request.url.hasSuffix("/drop") { return try await transport.send(request) }
            throw has(.losesStatus) ? HTTPTransportError(error.code, reason: error.reason) : error
        }
    }

    private func changed(_ request: HTTPTransportRequest) -> HTTPTransportRequest {
        var request = request
        if has(.losesQuery) { request.url = String(request.url.prefix { $0 != "?" }) }
        if has(.changesBody) { request.body = request.body.map { $0 + [0] } }
        if has(.losesContentType) { request.headers.removeAll { $0.name == "Content-Type" } }
        if has(.reversesHeaders) { request.headers.reverse() }
        if has(.addsBody), request.body == nil { (request.method, request.body) = ("GET", [1]) }
        if has(.ignoresSize) { request.maxResponseSize = .max }
        if has(.refusesFull) { request.maxResponseSize -= 1 }
        return request
    }

    private func answer(
        to request: HTTPTransportRequest, _ response: HTTPTransportResponse
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        var response = response
        if has(.failsPosts), request.method == "POST" { throw HTTPTransportError(.failed, reason: "no POST") }
        if has(.throwsStatus), response.status >= 400 {
            throw HTTPTransportError(.failed, reason: "status \(response.status)", status: response.status)
        }
        if has(.followsRedirects), let path = response.header("Location") {
            var redirected = request
            redirected.url = request.url.replacing("/redirect", with: path)
            return try await transport.send(redirected)
        }
        if has(.triesAgain), response.status == 503 { response = try await transport.send(request) }
        if has(.mixesAnswers), request.body?.starts(with: Array("request 7".utf8)) == true {
            response.body = Array("request 8".utf8)
        }
        if has(.cutsAnswers) { response.body = Array(response.body.prefix(5)) }
        if has(.dropsErrorBodies), response.status >= 400 { response.body = [] }
        if has(.leavesCompressed), request.url.hasSuffix("/zeros") {
            response.body = Gzip.compress(response.body) ?? []
        }
        if has(.roundsStatus) { response.status = response.status / 100 * 100 }
        if has(.mergesHeaders) {
            let merged = Dictionary(grouping: response.headers) { $0.name.lowercased() }
            response.headers = merged.map { name, headers in
                HTTPHeader(name: name, value: headers.map(\.value).joined(separator: ", "))
            }
        }
        return response
    }

    /// The status that a defect returns in place of an error.
    private func status(hiding error: HTTPTransportError, of request: HTTPTransportRequest) -> Int? {
        if has(.hidesTimeout), error.code == .timeout { return 200 }
        if has(.hidesCancellation), error.code == .cancelled { return 200 }
        if has(.acceptsCut), request.url.hasSuffix("/cut") { return 200 }
        if has(.acceptsGarbage), request.url.hasSuffix("/garbage") { return 200 }
        return has(.hidesOutage) && request.url.hasSuffix("/plain") ? 502 : nil
    }
}
