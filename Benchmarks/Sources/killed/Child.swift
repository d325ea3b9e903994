import Foundation
import TrackerCore
import Workload

/// The process that is killed: tracks until it dies and says at once on standard output what it did.
struct Child {
    private let rig: (pipeline: EventPipeline, tracker: Tracker)
    private let words: [String]

    init(_ options: Options) throws {
        guard let directory = options.text("directory"), let collector = options.text("collector") else {
            throw BenchmarkError("a child needs a directory and a collector")
        }
        let pipeline = EventPipeline(stateDirectory: directory)
        guard pipeline.warnings.isEmpty else { throw BenchmarkError("\(pipeline.warnings)") }
        rig = (pipeline, try Tracker(Rig.bundle(collector: collector, batch: 100), pipeline: pipeline))
        words = options.words
    }

    func run() async throws {
        if words.contains("last") {
            // Sends what the killed ones left.
            await rig.tracker.flush(timeout: .seconds(60))
            let report = await rig.pipeline.shutdown()
            guard report.stored == 0 else { throw BenchmarkError("\(report.stored) events were not sent at the end") }
            return
        }
        if words.contains("plain") { return await onThread { trackOnAndOn() } }
        Thread { self.trackOnAndOn() }.start()
        let event = Order.event()
        let entities = [Order.entity()]
        while true {
            say("C", try await rig.tracker.trackCommitted(event, entities: entities))
        }
    }

    /// A steady load of some ten thousand events a second.
    private func trackOnAndOn() -> Never {
        let event = Order.event()
        let entities = [Order.entity()]
        while true {
            if let id = rig.tracker.track(event, entities: entities) { say("P", id) }
            usleep(50)
        }
    }

    /// One line by one system call, so that a line is whole or not there.
    private func say(_ kind: String, _ id: EventID) {
        let line = Array("\(kind) \(id)\n".utf8)
        _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
}
