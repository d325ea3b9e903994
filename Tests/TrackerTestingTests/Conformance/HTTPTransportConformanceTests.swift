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
            [.failsPosts, .ignoresSize, .acceptsCut], [.changesBody, .throwsStatus], [.cutsAnswers],
        ]
        return groups + [groups.reduce(Set(Defect.allCases)) { $0.subtracting($1) }]
    }()

    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case failsPosts = "a POST request is answered"
        case changesBody = "the body is sent as it is"
        case reversesHeaders = "the headers are sent in their order"
        case cutsAnswers = "the answer's body is returned as it is"
        case mixesAnswers = "each of 20 requests at one time gets its own answer"
        case throwsStatus = "an answer of status 404 is returned and not thrown"
        case triesAgain = "a request is sent once, whatever its answer"
        case ignoresSize = "a body of more than maxResponseSize bytes after decompression fails with responseTooLarge"
        case acceptsCut = "an answer that is cut short fails with failed"
        case repeatsDropped =
            "a request whose connection is closed without an answer fails with failed, and is not sent again"
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
            throw error
        }
    }

    private func changed(_ request: HTTPTransportRequest) -> HTTPTransportRequest {
        var request = request
        if has(.changesBody) { request.body = request.body.map { $0 + [0] } }
        if has(.reversesHeaders) { request.headers.reverse() }
        if has(.ignoresSize) { request.maxResponseSize = .max }
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
        if has(.triesAgain), response.status == 503 { response = try await transport.send(request) }
        if has(.mixesAnswers), request.body?.starts(with: Array("request 7".utf8)) == true {
            response.body = Array("request 8".utf8)
        }
        if has(.cutsAnswers) { response.body = Array(response.body.prefix(5)) }
        return response
    }

    /// The status that a defect returns in place of an error.
    private func status(hiding error: HTTPTransportError, of request: HTTPTransportRequest) -> Int? {
        if has(.hidesCancellation), error.code == .cancelled { return 200 }
        return has(.acceptsCut) && request.url.hasSuffix("/cut") ? 200 : nil
    }
}
