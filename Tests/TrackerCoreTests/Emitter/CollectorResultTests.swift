import TestSupport
import Testing

@testable import TrackerCore

@Suite("CollectorResult", .endsWhenItHangs)
struct CollectorResultTests {
    private func judge(
        _ result: Result<HTTPTransportResponse, HTTPTransportError>, events: Int, isOversized: Bool,
        _ configure: (inout EmitterConfiguration) -> Void
    ) -> CollectorResult {
        var settings = EmitterConfiguration.builtIn
        configure(&settings)
        return CollectorResult(
            result, eventCount: isOversized ? 1 : events, isOversized: isOversized, settings: settings, now: 0)
    }

    private func judge(
        _ status: Int, headers: [HTTPHeader] = [], events: Int = 2, isOversized: Bool = false,
        _ configure: (inout EmitterConfiguration) -> Void = { _ in }
    ) -> CollectorResult {
        let response = HTTPTransportResponse(status: status, headers: headers)
        return judge(.success(response), events: events, isOversized: isOversized, configure)
    }

    private func judge(
        _ code: NamedCode<HTTPTransportError>, status: Int? = nil, isOversized: Bool = false,
        _ configure: (inout EmitterConfiguration) -> Void = { _ in }
    ) -> CollectorResult {
        let error = HTTPTransportError(code, reason: "", status: status)
        return judge(.failure(error), events: 2, isOversized: isOversized, configure)
    }

    @Test("every status has the meaning of the table")
    func table() {
        for status in 100...599 {
            let expected: CollectorResult =
                switch status {
                case 200...299: .delivered
                case 400, 401, 403, 410, 422: .dropped(.rejected)
                case 413: .split
                default: .kept(retryAfter: nil)
                }
            #expect(judge(status) == expected, "\(status)")
        }
    }

    @Test(
        "an error of the transport keeps the events, and after the head of a success it is a delivery",
        arguments: [.timeout, .responseTooLarge, .cancelled, .failed] as [NamedCode<HTTPTransportError>])
    func transportErrors(code: NamedCode<HTTPTransportError>) {
        #expect(judge(code) == .kept(retryAfter: nil))
        #expect(judge(code) { $0.retryFailedRequests = false } == .dropped(.notRetried))
        #expect(judge(code, isOversized: true) == .dropped(.oversized))
        #expect(judge(code, status: 200) == .delivered)
        // A rule for no status does not reach it.
        #expect(judge(code) { $0.customRetryForStatusCodes = [0: false, -1: false] } == .kept(retryAfter: nil))
    }

    @Test("rules of the settings override both ways, but never a success")
    func customRules() {
        #expect(judge(500) { $0.customRetryForStatusCodes = [500: false] } == .dropped(.rejected))
        #expect(judge(400) { $0.customRetryForStatusCodes = [400: true] } == .kept(retryAfter: nil))
        #expect(judge(503) { $0.customRetryForStatusCodes = [500: false] } == .kept(retryAfter: nil))
        #expect(judge(302) { $0.customRetryForStatusCodes = [302: false] } == .dropped(.rejected))
        for rule in [true, false] {
            #expect(judge(200) { $0.customRetryForStatusCodes = [200: rule] } == .delivered)
        }
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
        for status in [302, 400, 413, 503] {
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
