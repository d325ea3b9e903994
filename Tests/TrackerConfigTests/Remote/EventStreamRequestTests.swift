import TestSupport
import Testing
import TrackerFeatures

@Suite("A request of a stream of events", .endsWhenItHangs)
struct EventStreamRequestTests {
    @Test("the end of its time is no failure of a stream that is open, nor is a cancellation")
    func endings() throws {
        let request = EventStreamRequest(
            RedirectedURL(try EndpointURL("https://config.example"), headers: []), timeout: .seconds(1),
            longestSilence: .seconds(1), maxEventSize: 100, certificateFile: nil)
        let timeout = HTTPTransportError(.timeout, reason: "late")
        #expect(request.ending(of: timeout, isOpen: true) == .expired)
        let failure = FetchError(.transport, reason: "the stream of events https://config.example broke: late")
        #expect(request.ending(of: timeout, isOpen: false) == .failed(failure))
        #expect(request.ending(of: HTTPTransportError(.failed, reason: "late"), isOpen: true) == .failed(failure))
        #expect(request.ending(of: HTTPTransportError(.cancelled, reason: ""), isOpen: false) == .expired)
    }
}
