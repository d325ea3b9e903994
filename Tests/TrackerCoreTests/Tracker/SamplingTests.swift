import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("Sampling", .endsWhenItHangs)
struct SamplingTests {
    private let rig = Rig()

    @Test(
        "takes about the share of events that it names, and counts the others apart from drops",
        arguments: [0, 0.25, 1])
    func byEvent(rate: Double) async throws {
        let tracker = try await rig.tracker { $0.tracker?.sampling = Sampling(rate: rate) }
        tracker.track(1...400)
        await tracker.flush(timeout: .seconds(60))
        let counters = tracker.counters
        #expect(counters.tracked + counters.sampledOut == 400)
        #expect(counters.dropped == 0)
        #expect(abs(Double(counters.tracked) - 400 * rate) < 40)
        #expect(rig.events.count == counters.tracked)
    }

    @Test("by user takes all events of a user or none, on every tracker")
    func byUser() async throws {
        let first = try await rig.tracker("a") { $0.tracker?.sampling = Sampling(rate: 0.5, by: .user) }
        let second = try await rig.tracker("b") { $0.tracker?.sampling = Sampling(rate: 0.5, by: .user) }
        for number in 0..<200 {
            let subject = EventSubject(userID: "u-\(number)", isAnonymous: number % 2 == 0)
            let ids = [
                first.track(Structured(category: "c", action: "1"), subject: subject),
                first.track(Structured(category: "c", action: "2"), subject: subject),
                second.track(Structured(category: "c", action: "3"), subject: subject),
            ]
            #expect(ids.allSatisfy { $0 == nil } || ids.allSatisfy { $0 != nil })
        }
        #expect(70...130 ~= second.counters.tracked)
        #expect(first.counters.tracked == 2 * second.counters.tracked)
    }

    @Test("by trace follows the request's trace, whatever its users")
    func byTrace() async throws {
        let tracker = try await rig.tracker { $0.tracker?.sampling = Sampling(rate: 0.5, by: .trace) }
        for number in 0..<200 {
            let context = TrackingContext(traceID: "4bf92f3577b34da6a3ce929d0e0e\(1000 + number)")
            withTrackingContext(context) {
                let ids = (0..<3).map {
                    tracker.track(Structured(category: "c", action: "a"), subject: EventSubject(userID: "\($0)"))
                }
                #expect(ids.allSatisfy { $0 == nil } || ids.allSatisfy { $0 != nil })
            }
        }
        #expect(210...390 ~= tracker.counters.tracked)
    }

    @Test("is told to a caller who waits for the disk")
    func committed() async throws {
        let directory = TemporaryDirectory()
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker { $0.tracker?.sampling = Sampling(rate: 0) }
        await #expect(throws: TrackingError.sampledOut) {
            try await tracker.trackCommitted(Structured(category: "c", action: "a"))
        }
        try tracker.settings.set(\.sampling, to: nil)
        try await tracker.trackCommitted(Structured(category: "c", action: "a"))
    }

    @Test("reads a rate and a word")
    func reads() throws {
        var warnings: [String] = []
        func read(_ text: String) throws -> Sampling? {
            try Sampling.read(try JSONReader.read(Array(text.utf8))) { warnings.append($0) }
        }
        #expect(try read(#"{"rate":0.1,"by":"user"}"#) == Sampling(rate: 0.1, by: .user))
        #expect(try read(#"{"rate":1}"#) == Sampling(rate: 1))
        #expect(warnings == [])
        #expect(try read(#"{"rate":0.1,"x":1}"#) == Sampling(rate: 0.1))
        #expect(try read(#"{"rate":1.5}"#) == nil)
        #expect(try read(#"{"rate":0.5,"by":"device"}"#) == nil)
        #expect(
            warnings == [
                "'x' is no part of sampling and is ignored", "the rate 1.5 is outside 0…1; the setting stays unset",
                "'device' is none of event, user, trace; the setting stays unset",
            ])
        #expect(throws: FieldMismatch.self) { try read("0.5") }
        #expect(throws: FieldMismatch.self) { try read(#"{"by":"user"}"#) }
        #expect(throws: FieldMismatch.self) { try read(#"{"rate":"1"}"#) }
        #expect(Sampling(rate: .nan).rate == 1 && Sampling(rate: -1).rate == 0 && Sampling(rate: 2).rate == 1)
    }
}
