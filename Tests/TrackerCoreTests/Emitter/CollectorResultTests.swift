import Testing

@testable import TrackerCore

@Suite("CollectorResult")
struct CollectorAnswerTests {
    private func judge(
        _ status: Int, headers: [HTTPHeader] = [], events: Int = 2, isOversized: Bool = false,
        _ configure: (inout EmitterConfiguration) -> Void = { _ in }
    ) -> CollectorResult {
        var settings = EmitterConfiguration.builtIn
        configure(&settings)
        let response = HTTPTransportResponse(status: status, headers: headers)
        return CollectorResult(
            .success(response), eventCount: isOversized ? 1 : events, isOversized: isOversized, settings: settings,
            now: 0)
    }

    private func judge(
        _ code: NamedCode<HTTPTransportError>, isOversized: Bool = false,
        _ configure: (inout EmitterConfiguration) -> Void = { _ in }
    ) -> CollectorResult {
        var settings = EmitterConfiguration.builtIn
        configure(&settings)
        let error = HTTPTransportError(code, reason: "")
        return CollectorResult(
            .failure(error), eventCount: isOversized ? 1 : 2, isOversized: isOversized, settings: settings, now: 0)
    }

    static let errors: [NamedCode<HTTPTransportError>] = [.timeout, .responseTooLarge, .cancelled, .failed]

    @Test("every status has the meaning of the table", arguments: 100...599)
    func table(status: Int) {
        let expected: CollectorResult =
            switch status {
            case 200...299: .delivered
            case 400, 401, 403, 410, 422: .dropped(.rejected)
            case 413: .split
            default: .kept(retryAfter: nil)
            }
        #expect(judge(status) == expected)
    }

    @Test("an error of the transport keeps the events", arguments: errors)
    func transportErrors(code: NamedCode<HTTPTransportError>) {
        #expect(judge(code) == .kept(retryAfter: nil))
        #expect(judge(code) { $0.retryFailedRequests = false } == .dropped(.notRetried))
        #expect(judge(code, isOversized: true) == .dropped(.oversized))
    }

    @Test("an error after the head of a success is a delivery, also if the request was cancelled", arguments: errors)
    func takesHeads(code: NamedCode<HTTPTransportError>) {
        let error = HTTPTransportError(code, reason: "", status: 200)
        let result = CollectorResult(
            .failure(error), eventCount: 2, isOversized: false, settings: .builtIn, now: 0)
        #expect(result == .delivered)
    }

    @Test("rules of the settings override both ways, but never a success")
    func customRules() {
        #expect(judge(500) { $0.customRetryForStatusCodes = [500: false] } == .dropped(.rejected))
        #expect(judge(400) { $0.customRetryForStatusCodes = [400: true] } == .kept(retryAfter: nil))
        #expect(judge(503) { $0.customRetryForStatusCodes = [500: false] } == .kept(retryAfter: nil))
        #expect(judge(302) { $0.customRetryForStatusCodes = [302: false] } == .dropped(.rejected))
        for status in [200, 204, 299] {
            #expect(judge(status) { $0.customRetryForStatusCodes = [status: false] } == .delivered)
            #expect(judge(status) { $0.customRetryForStatusCodes = [status: true] } == .delivered)
        }
    }

    @Test("a rule for no status does not reach errors of the transport", arguments: errors)
    func rulesAreForStatusesOnly(code: NamedCode<HTTPTransportError>) {
        #expect(judge(code) { $0.customRetryForStatusCodes = [0: false, -1: false] } == .kept(retryAfter: nil))
    }

    @Test("a request that is too large is split; one event that is too large by itself is kept, unless a rule drops it")
    func tooLarge() {
        #expect(judge(413, events: 1) == .kept(retryAfter: nil))
        #expect(judge(413, events: 1) { $0.customRetryForStatusCodes = [413: false] } == .dropped(.rejected))
        #expect(judge(413, events: 1) { $0.customRetryForStatusCodes = [413: true] } == .kept(retryAfter: nil))
        #expect(judge(413, events: 500) { $0.customRetryForStatusCodes = [413: true] } == .split)
        #expect(judge(413, events: 500) { $0.customRetryForStatusCodes = [413: false] } == .dropped(.rejected))
        #expect(judge(413, events: 2) { $0.retryFailedRequests = false } == .split)
    }

    @Test("an event over the byte limit is never tried again, whatever the rules say")
    func oversized() {
        #expect(judge(200, isOversized: true) == .delivered)
        for status in [302, 400, 413, 500, 503] {
            #expect(
                judge(status, isOversized: true) { $0.customRetryForStatusCodes = [status: true] }
                    == .dropped(.oversized))
        }
    }

    @Test("without retries a failure drops, and a rule does not bring them back")
    func withoutRetries() {
        #expect(judge(500) { $0.retryFailedRequests = false } == .dropped(.notRetried))
        #expect(judge(200) { $0.retryFailedRequests = false } == .delivered)
        #expect(judge(400) { $0.retryFailedRequests = false } == .dropped(.rejected))
    }

    @Test("Retry-After is handed on, its name in any case")
    func handsOnRetryAfter() {
        #expect(judge(503, headers: [HTTPHeader(name: "retry-AFTER", value: "5")]) == .kept(retryAfter: .seconds(5)))
        #expect(
            judge(429, headers: [HTTPHeader(name: "Retry-After", value: "Thu, 01 Jan 1970 00:01:00 GMT")])
                == .kept(retryAfter: .seconds(60)))
    }
}
