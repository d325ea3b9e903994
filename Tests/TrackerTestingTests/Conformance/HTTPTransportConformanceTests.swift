import TestSupport
import Testing
import TrackerCore

@testable import TrackerTesting

@Suite("Conformance of HTTPTransport", .endsWhenItHangs, .mayBlock)
struct HTTPTransportConformanceTests {
    @Test("the library's transport keeps all promises")
    func own() async throws {
        try await Conformance.check(CurlTransport())
    }

    @Test("each broken promise is found", arguments: BrokenTransport.Defect.allCases)
    func broken(defect: BrokenTransport.Defect) async throws {
        let error = try #require(
            await #expect(throws: ConformanceError.self) {
                try await Conformance.check(BrokenTransport(defect))
            })
        #expect(error.broken.contains { $0.hasPrefix(defect.rawValue) }, "\(error)")
    }
}

/// A transport that breaks one promise.
struct BrokenTransport: HTTPTransport {
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
        case ignoresTimeout = "a request whose time is over before the last byte fails with timeout"
        case acceptsCut = "an answer that is cut short fails with failed"
        case losesStatus = "the error has the status of an answer whose head came before the failure"
        case acceptsGarbage = "an answer that is not HTTP fails with failed"
        case repeatsDropped =
            "a request whose connection is closed without an answer fails with failed, and is not sent again"
        case hidesOutage = "a request to a port that is closed fails with failed"
        case ignoresCancellation = "a request stops when its task is cancelled, and fails with cancelled"
    }

    private let defect: Defect
    private let transport = CurlTransport()

    init(_ defect: Defect) {
        self.defect = defect
    }

    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        do throws(HTTPTransportError) {
            return try await answer(to: request, try await transmit(changed(request)))
        } catch {
            if let response = hidden(error, of: request) { return response }
            if defect == .repeatsDropped, request.url.hasSuffix("/drop") { return try await transmit(request) }
            throw defect == .losesStatus ? HTTPTransportError(error.code, reason: error.reason) : error
        }
    }

    private func changed(_ request: HTTPTransportRequest) -> HTTPTransportRequest {
        var request = request
        switch defect {
        case .losesQuery: request.url = String(request.url.prefix { $0 != "?" })
        case .changesBody: request.body = request.body.map { $0 + [0] }
        case .losesContentType: request.headers.removeAll { $0.name == "Content-Type" }
        case .reversesHeaders: request.headers.reverse()
        case .addsBody: if request.body == nil { (request.method, request.body) = ("GET", [1]) }
        case .ignoresSize: request.maxResponseSize = .max
        case .refusesFull: request.maxResponseSize -= 1
        case .ignoresTimeout: request.timeout = .seconds(600)
        default: break
        }
        return request
    }

    private func transmit(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        guard defect == .ignoresCancellation else { return try await transport.send(request) }
        let transport = transport
        let task = Task.detached { () -> Result<HTTPTransportResponse, HTTPTransportError> in
            do throws(HTTPTransportError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    private func answer(
        to request: HTTPTransportRequest, _ response: HTTPTransportResponse
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        var response = response
        switch defect {
        case .failsPosts where request.method == "POST": throw HTTPTransportError(.failed, reason: "no POST")
        case .cutsAnswers: response.body = Array(response.body.prefix(5))
        case .mergesHeaders:
            let merged = Dictionary(grouping: response.headers) { $0.name.lowercased() }
            response.headers = merged.map { name, headers in
                HTTPHeader(name: name, value: headers.map(\.value).joined(separator: ", "))
            }
        case .mixesAnswers:
            if request.body?.starts(with: Array("request 7".utf8)) == true { response.body = Array("request 8".utf8) }
        case .throwsStatus where response.status >= 400:
            throw HTTPTransportError(.failed, reason: "status \(response.status)", status: response.status)
        case .roundsStatus: response.status = response.status / 100 * 100
        case .dropsErrorBodies: if response.status >= 400 { response.body = [] }
        case .followsRedirects:
            if let path = response.header("Location") {
                var redirected = request
                redirected.url = request.url.replacing("/redirect", with: path)
                return try await transport.send(redirected)
            }
        case .triesAgain: if response.status == 503 { return try await transport.send(request) }
        case .leavesCompressed:
            if request.url.hasSuffix("/zeros") { response.body = Gzip.compress(HTTPBody(response.body)) ?? [] }
        default: break
        }
        return response
    }

    /// What a defect returns in place of an error.
    private func hidden(_ error: HTTPTransportError, of request: HTTPTransportRequest) -> HTTPTransportResponse? {
        switch defect {
        case .acceptsCut: request.url.hasSuffix("/cut") ? HTTPTransportResponse(status: 200) : nil
        case .acceptsGarbage: request.url.hasSuffix("/garbage") ? HTTPTransportResponse(status: 200) : nil
        case .hidesOutage: request.url.hasSuffix("/plain") ? HTTPTransportResponse(status: 502) : nil
        default: nil
        }
    }
}
