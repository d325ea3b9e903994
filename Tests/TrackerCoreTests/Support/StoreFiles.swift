import Foundation
import Testing
import TrackerTesting

@testable import TrackerCore

/// The files of an event log, as a test looks at them and damages them.
struct StoreFiles {
    let directory: TemporaryDirectory

    /// A copy of what is on the disk now, as a process finds it that starts after this one was killed.
    func copy() throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        for name in directory.names where name.hasPrefix("log-") {
            try FileManager.default.copyItem(atPath: directory.file(name), toPath: copy.file(name))
        }
        return copy
    }

    /// The actions of the events that the next process sends if this one is killed now, with files that may be changed before.
    func sentAfterKill(_ prepare: (TemporaryDirectory) throws -> Void = { _ in }) async throws -> [String] {
        let copy = try copy()
        try prepare(copy)
        let rig = Rig(stateDirectory: copy.path, seed: 9)
        let tracker = try await rig.tracker()
        await rig.pipeline.maintain()
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.addUp(recovered: rig.actions.count))
        return rig.actions
    }

    /// The files of the log, the oldest first.
    var names: [String] {
        directory.names.filter { $0.hasPrefix("log-") && UInt32($0.split(separator: ".")[1], radix: 16) != nil }
            .sorted()
    }

    /// The actions of the events that wait in the files.
    func waiting(_ format: LogFormat = .standard) throws -> [String] {
        try names.flatMap { name in
            try Data(contentsOf: URL(filePath: directory.file(name))).withUnsafeBytes { bytes in
                var format = format
                if case .header(let header) = LogHeader.read(UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))) {
                    format = header.format
                }
                return (0..<format.segmentCount).flatMap { index in
                    let start = format.start(of: index)
                    let segment = UnsafeRawBufferPointer(rebasing: bytes[start..<start + format.segmentSize])
                    return SegmentReader(format: format, bytes: segment).contents().waiting.map { record, _ in
                        EventScan.value(of: "se_ac", in: record.payload) ?? "?"
                    }
                }
            }
        }
    }

    /// Changes a text that stands in a file once.
    func replace(_ text: String, with other: String, in name: String? = nil) throws {
        for name in names where name == name {
            let url = URL(filePath: directory.file(name))
            var data = try Data(contentsOf: url)
            guard let place = data.firstRange(of: Data(text.utf8)) else { continue }
            data.replaceSubrange(place, with: Data(other.utf8))
            let file = try FileHandle(forUpdating: url)
            try file.seek(toOffset: UInt64(place.lowerBound))
            try file.write(contentsOf: Data(other.utf8))
            try file.close()
            return
        }
        throw CocoaError(.fileReadUnknown)
    }
}

extension EventStore {
    /// The store of a process that has some namespaces.
    static func open(
        _ directory: StateDirectory?, _ namespaces: [String] = ["ns"], time: ManualTime = ManualTime(),
        maxMemoryBytes: Int = EventStore.defaultMemoryBytes, log: MemoryLog? = nil
    ) -> EventStore {
        let store = EventStore(
            directory: directory, deadLetters: .off, maxMemoryBytes: maxMemoryBytes, time: time,
            log: Log(log, level: .trace))
        for (index, namespace) in namespaces.enumerated() { store.addNamespace(namespace, at: index) }
        return store
    }

    /// Tracks events of a namespace by their numbers.
    func track(
        _ numbers: ClosedRange<Int>, of index: Int = 0, size: Int = 0, time: Int64 = 0, isSynced: Bool = false
    ) throws {
        for number in numbers {
            let padding = String(repeating: "x", count: size)
            let payload = Array(
                #"{"e":"se","eid":"\#(number)","tna":"\#(partitions[index].namespace)","se_ac":"\#(number)","se_la":"\#(padding)"}"#
                    .utf8)
            try payload.withUnsafeBytes { payload in
                let record = EventRecord(
                    namespace: index, isAnonymous: number.isMultiple(of: 2), time: time, sequence: UInt64(number),
                    payload: payload)
                guard case .accepted(_, _, let isLow) = eventLog.intake.append(record, waiter: nil) else {
                    throw CocoaError(.fileWriteOutOfSpace)
                }
                if isLow { eventLog.pool.grow(isPopulated: false) }
            }
        }
        try accept(eventLog.intake.drain(), isSynced: isSynced) { _ in nil }.get()
    }

    /// The events that a load gives, with their actions.
    func loaded(
        _ index: Int = 0, _ limit: Int = .max, bytes: Int = .max, except: Set<Int64> = []
    ) -> (events: [StoredEvent], actions: [String]) {
        let events = load(index, .oldest(EventAmount(events: limit, bytes: bytes)), except: except)?.events ?? []
        return (events, events.map { EventScan.value(of: "se_ac", in: $0.payload) ?? "?" })
    }
}
