import TestSupport
import Testing

@testable import TrackerCore

@Suite("CollectorResult", .endsWhenItHangs)
struct CollectorResultTests {
    private func judge(
        _ result: Result<HTTPTransportResponse, HTTPTransportError>, isOversized: Bool,
        _ configure: (inout EmitterConfiguration) -> Void
    ) -> CollectorResult {
        var settings = EmitterConfiguration.builtIn
        configure(&settings)
        return CollectorResult(result, isOversized: isOversized, settings: settings, now: 0)
    }

    private func judge(
        _ status: Int, headers: [HTTPHeader] = [], isOversized: Bool = false,
        _ configure: (inout EmitterConfiguration) -> Void = { _ in }
    ) -> CollectorResult {
        let response = HTTPTransportResponse(status: status, headers: headers)
        return judge(.success(response), isOversized: isOversized, configure)
    }

    private func judge(
        _ code: NamedCode<HTTPTransportError>, status: Int? = nil, isOversized: Bool = false,
        _ configure: (inout EmitterConfiguration) -> Void = { _ in }
    ) -> CollectorResult {
        let error = HTTPTransportError(code, reason: "", status: status)
        return judge(.failure(error), isOversized: isOversized, configure)
    }

    @Test("every status has the meaning of the table")
    func table() {
        for status in 100...599 {
            let expected: CollectorResult =
                switch status {
                case 200...299: .delivered
                case 400, 401, 403, 410, 422: .refused(.rejected)
                case 413, 414: .refused(.oversized)
                default: .failed(retryAfter: .zero)
                }
            #expect(judge(status) == expected, "\(status)")
        }
    }

    @Test(
        "an error of the transport keeps the events, and after the head of a success it is a delivery",
        arguments: [.timeout, .responseTooLarge, .failed] as [NamedCode<HTTPTransportError>])
    func transportErrors(code: NamedCode<HTTPTransportError>) {
        #expect(judge(code) == .failed(retryAfter: .zero))
        #expect(judge(code) { $0.retryFailedRequests = false } == .dropped(.notRetried))
        #expect(judge(code, isOversized: true) == .failed(retryAfter: .zero))
        #expect(judge(code, status: 200) == .delivered)
        // A rule for no status does not reach it.
        #expect(judge(code) { $0.customRetryForStatusCodes = [0: false, -1: false] } == .failed(retryAfter: .zero))
    }

    @Test("a proxy's answer is a failure of the transport, whatever the settings say of its status")
    func proxy() {
        #expect(judge(407) { $0.customRetryForStatusCodes = [407: false] } == .failed(retryAfter: .zero))
    }

    @Test("a request that the SDK ended keeps its events, whatever the settings say of failures")
    func cancelled() {
        #expect(judge(.cancelled) { $0.retryFailedRequests = false } == .cancelled)
        #expect(judge(.cancelled, isOversized: true) == .cancelled)
        #expect(judge(.cancelled, status: 200) == .delivered)
        #expect(judge(.cancelled, status: 400) == .refused(.rejected))
    }

    @Test("rules of the settings override both ways, but never a success")
    func customRules() {
        #expect(judge(500) { $0.customRetryForStatusCodes = [500: false] } == .refused(.rejected))
        #expect(judge(400) { $0.customRetryForStatusCodes = [400: true] } == .failed(retryAfter: .zero))
        #expect(judge(503) { $0.customRetryForStatusCodes = [500: false] } == .failed(retryAfter: .zero))
        #expect(judge(302) { $0.customRetryForStatusCodes = [302: false] } == .refused(.rejected))
        for rule in [true, false] {
            #expect(judge(200) { $0.customRetryForStatusCodes = [200: rule] } == .delivered)
        }
    }

    @Test("an answer that the request is too large is a refusal, unless a rule says otherwise", arguments: [413, 414])
    func tooLarge(status: Int) {
        #expect(judge(status) { $0.customRetryForStatusCodes = [status: false] } == .refused(.rejected))
        #expect(judge(status) { $0.customRetryForStatusCodes = [status: true] } == .failed(retryAfter: .zero))
        #expect(judge(status) { $0.retryFailedRequests = false } == .refused(.oversized))
    }

    @Test("an event over the byte limit is dropped if the collector refuses it, and tried again in an outage")
    func oversized() {
        #expect(judge(200, isOversized: true) == .delivered)
        for status in [400, 413] { #expect(judge(status, isOversized: true) == .dropped(.oversized)) }
        for status in [302, 503] { #expect(judge(status, isOversized: true) == .failed(retryAfter: .zero)) }
    }

    @Test("without retries a failure drops, and a rule does not bring them back")
    func withoutRetries() {
        #expect(judge(500) { $0.retryFailedRequests = false } == .dropped(.notRetried))
        #expect(judge(200) { $0.retryFailedRequests = false } == .delivered)
        #expect(judge(400) { $0.retryFailedRequests = false } == .refused(.rejected))
    }

    @Test("Retry-After is handed on, its name in any case")
    func handsOnRetryAfter() {
        #expect(judge(503, headers: [HTTPHeader(name: "retry-AFTER", value: "5")]) == .failed(retryAfter: .seconds(5)))
        #expect(
            judge(429, headers: [HTTPHeader(name: "Retry-After", value: "Thu, 01 Jan 1970 00:01:00 GMT")])
                == .failed(retryAfter: .seconds(60)))
    }
}
