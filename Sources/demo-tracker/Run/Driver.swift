import DocumentTools
import Foundation
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// Runs commands one after the other and writes the answers in the same order.
struct Driver {
    let service: CommandService
    let output = StandardStream.output

    var setup: Setup { service.setup }

    /// Runs commands until `quit` or the end of the lines.
    func run(_ lines: AsyncStream<[UInt8]>) async {
        for await line in lines {
            let id: JSONValue
            do throws(CommandError) {
                let command = try Command(line)
                id = command.id
                let value = try await obey(command)
                answer(id, value)
                if command.name == "quit" { return }
                if command.name == "watch" { try watch(command) }
            } catch {
                output.write(["type": "answer", "id": error.id, "ok": false, "error": .string(error.reason)])
            }
        }
        let report = await service.shutDown(timeout: .seconds(5))
        answer(.null, report.endJSON)
    }

    private func answer(_ id: JSONValue, _ value: JSONValue) {
        output.write(["type": "answer", "id": id, "ok": true, "value": value])
    }

    private func obey(_ command: Command) async throws(CommandError) -> JSONValue {
        switch command.name {
        case "track": return try await track(command)
        case "refresh": return .object(await setup.refresh().line)
        case "set":
            let value = try command.requiredNode("value")
            return try change(command) { try $0.set(field: $1, to: value) }
        case "reset": return try change(command) { try $0.reset(field: $1) }
        case "explain":
            let tracker = try tracker(command)
            guard let field = try command.text("field") else {
                return .object(JSONObject(tracker.layers.explanations.map { ($0.field, $0.json) }))
            }
            return try command.obey { try tracker.layers.explanation(of: field).json }
        case "namespaces":
            return [
                "namespaces": .array(setup.namespaces.map(JSONValue.string)),
                "default": setup.defaultTracker.map { .string($0.namespace) } ?? .null,
            ]
        case "status": return await status(try tracker(command))
        case "pause", "resume": return try setPaused(command)
        case "flush":
            let tracker = try tracker(command)
            await tracker.flush(timeout: try command.seconds("timeout") ?? .seconds(5))
            return await status(tracker)
        case "forget": return try await forget(command)
        case "meta": return .object(setup.meta)
        case "setupStatus":
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            return try command.obey { try JSONValue(encoding: setup.status, by: encoder) }
        case "quit":
            return await service.shutDown(timeout: try command.seconds("timeout") ?? .seconds(5)).endJSON
        default:
            if let value = try obeyFeatures(command) { return value }
            throw command.fault("there is no command '\(command.name)'")
        }
    }

    private func tracker(_ command: Command) throws(CommandError) -> Tracker {
        guard let namespace = try command.text("namespace") else {
            guard let tracker = setup.defaultTracker else { throw command.fault("there is no default tracker") }
            return tracker
        }
        guard let tracker = setup.tracker(namespace) else {
            throw command.fault("there is no tracker '\(namespace)'")
        }
        return tracker
    }

    private func track(_ command: Command) async throws(CommandError) -> JSONValue {
        let tracker = try tracker(command)
        let event = try command.event()
        let entities = try command.entities()
        let time = try command.integer("trueTimestamp").map { Date(timeIntervalSince1970: Double($0) / 1000) }
        var subject = try command.subject("subject")
        if let cookie = try command.text("idCookie"), let web = EventSubject(idCookie: cookie) {
            subject = (subject ?? EventSubject()).merged(over: web)
        }
        let context = try command.subject("bound").map { TrackingContext(subject: $0) }
        let (argument, isCommitted) = (subject, try command.flag("committed") ?? false)
        do throws(TrackingError) {
            let id = try await withTrackingContext(context) { () async throws(TrackingError) -> EventID? in
                guard isCommitted else {
                    return tracker.track(event, entities: entities, subject: argument, trueTimestamp: time)
                }
                return try await tracker.trackCommitted(
                    event, entities: entities, subject: argument, trueTimestamp: time)
            }
            return id.map { .string($0.description) } ?? .null
        } catch {
            if error.code == .dropped || error.code == .sampledOut { return .null }
            throw command.fault(error.description)
        }
    }

    private func change(
        _ command: Command, _ body: (Tracker, String) throws -> Void
    ) throws(CommandError) -> JSONValue {
        let (tracker, field) = (try tracker(command), try command.required("field"))
        return try command.obey {
            try body(tracker, field)
            return try tracker.layers.explanation(of: field).value ?? .null
        }
    }

    private func status(_ tracker: Tracker) async -> JSONValue {
        let counters = await tracker.settledCounters()
        return [
            "tracked": .int(counters.tracked), "sent": .int(counters.sent), "stored": .int(counters.stored),
            "dropped": .int(counters.dropped), "retried": .int(counters.retried), "requests": .int(counters.requests),
            "sessionId": tracker.session.id.map(JSONValue.string) ?? .null, "paused": .bool(tracker.emitter.isPaused),
        ]
    }

    private func setPaused(_ command: Command) throws(CommandError) -> JSONValue {
        let tracker = try tracker(command)
        let pauses = command.name == "pause"
        switch try command.text("what") ?? "emitter" {
        case "emitter": _ = pauses ? tracker.emitter.pause() : tracker.emitter.resume()
        case "tracker": pauses ? tracker.pause() : tracker.resume()
        case "session": pauses ? tracker.session.pause() : tracker.session.resume()
        case let what: throw command.fault("'what' is emitter, tracker or session, not '\(what)'")
        }
        return [:]
    }
}

extension TrackerCounters {
    /// The report of the last line.
    var endJSON: JSONValue { ["sent": .int(sent), "stored": .int(stored), "dropped": .int(dropped)] }
}
