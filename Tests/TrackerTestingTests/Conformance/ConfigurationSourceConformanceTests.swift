import FoundationEssentials
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerLoopbackServer
import TrackerTesting

@Suite("Conformance of ConfigurationSource", .endsWhenItHangs)
struct ConfigurationSourceConformanceTests {
    @Test("a file keeps all promises, also if it is written in place")
    func file() async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("document.json")
        for options in [Data.WritingOptions.atomic, []] {
            try await Conformance.check(FileSource(path: path)) { document in
                guard let document else { return try FileManager.default.removeItem(atPath: path) }
                try Data(document).write(to: URL(filePath: path), options: options)
            }
        }
    }

    @Test("a web server keeps all promises, with validators and without", arguments: [true, false])
    func web(hasValidators: Bool) async throws {
        let published = Locked<[UInt8]?>(nil)
        let server = try LoopbackServer { request in
            guard let document = published.withLock({ $0 }) else { return .response(status: 404) }
            guard hasValidators else { return .response(status: 200, body: document) }
            let tag = "\"\(document.count)\""
            let isCurrent = request.header("If-None-Match") == tag
            return .response(status: isCurrent ? 304 : 200, headers: [("ETag", tag)], body: isCurrent ? [] : document)
        }
        let remote = RemoteConfiguration(endpoint: "\(server.url)/document.json")
        try await Conformance.check(try HTTPSource(remote, transport: CurlTransport())) { document in
            published.exchange(document)
        }
        server.stop()
    }

    @Test("the source of tests keeps all promises")
    func memory() async throws {
        let source = MemorySource("")
        source.streams = true
        try await Conformance.check(source) { document in
            if let document {
                source.publish(String(decoding: document, as: UTF8.self))
                source.hint(ChangeHint())
            } else {
                source.fail(FetchError(.status, reason: "status 404", status: 404))
                // What a server may do then.
                source.disconnect(FetchError(.transport, reason: "the document was removed"))
            }
        }
        #expect(source.connectionsOpened == 3)
        try await waitUntil("no connection is left open") { source.openConnections == 0 }
    }

    @Test("each broken promise of hints is found", arguments: BrokenChanges.Defect.allCases)
    func brokenChanges(defect: BrokenChanges.Defect) async {
        let source = BrokenChanges(defect)
        await expectBroken([defect.rawValue]) { try await Conformance.check(source) { source.publish($0) } }
    }

    @Test("each broken promise is found", arguments: BrokenSource.Defect.allCases)
    func broken(defect: BrokenSource.Defect) async {
        let source = BrokenSource(defect)
        await expectBroken([defect.rawValue]) { try await Conformance.check(source) { source.publish($0) } }
    }
}

/// A source that breaks one promise.
final class BrokenSource: ConfigurationSource {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case trims = "the document has the bytes that were published"
        case ignoresValidators = "a fetch with the validators of another document returns the document"
        case repeatsValidators = "different documents have different validators"
        case hidesAbsence = "a fetch throws if there is no document"
        case givesUp = "publishing a document again throws no error"
        case fails = "fetching a document throws no error"
    }

    private struct State: Sendable {
        var document: [UInt8]?
        var number = 0
        var hasFailed = false
    }

    private let defect: Defect
    private let state = Locked(State())

    init(_ defect: Defect) {
        self.defect = defect
    }

    func publish(_ document: [UInt8]?) {
        state.withLock { state in
            state.document = document
            state.number += 1
        }
    }

    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let state = state.withLock { state in
            if state.document == nil { state.hasFailed = true }
            return state
        }
        let tag = defect == .repeatsValidators ? "same" : "\(state.number)"
        let current = DocumentValidators(entityTag: tag)
        if defect == .fails { throw FetchError(.transport, reason: "always") }
        if defect == .givesUp, state.hasFailed { throw FetchError(.transport, reason: "once and for all") }
        guard var document = state.document else {
            if defect == .hidesAbsence { return FetchedDocument([]) }
            throw FetchError(.status, reason: "there is none")
        }
        switch defect {
        case .ignoresValidators where validators != nil: return nil
        case .trims: document = document.filter { $0 != UInt8(ascii: "\r") }
        // A source that has the same validators for all documents has to send them all.
        case .repeatsValidators: return FetchedDocument(document, validators: current)
        default: break
        }
        if validators == current { return nil }
        return FetchedDocument(document, validators: current)
    }
}
