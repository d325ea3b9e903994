import Foundation
import Harness
import TrackerConfig

/// What a service left, each file as it was and damaged.
final class LeftFiles {
    // A file system in memory saves the syncs.
    let directory =
        (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory())
        + "/fuzz-files-\(getpid())"

    /// The ids of the events that wait.
    private(set) var ids: Set<String> = []
    private var files: [(name: String, bytes: [UInt8])] = []

    var originalSize: Int { files.reduce(0) { $0 + $1.bytes.count } }

    /// The bytes of all files now.
    var size: Int { names.reduce(0) { $0 + (FileManager.default.contents(atPath: "\(directory)/\($1)")?.count ?? 0) } }

    init() {
        clear()
        // The first event is a dead letter.
        let newer = DamagedService.document.replacingOccurrences(of: #"Version":3"#, with: #"Version":4"#)
        let collector = Collector(status: 400, document: newer)
        let directory = directory
        let setup = DamagedService.start(in: directory, collector)
        ids = wait {
            var ids: Set<String> = []
            await setup.refresh()
            setup.tracker("a")?.track(Structured(category: "c", action: "letter"))
            await setup.tracker("a")?.flush(timeout: .seconds(5))
            collector.answer(503)
            for number in 0..<120 {
                let event = Structured(
                    category: "c", action: "\(number)", label: String(repeating: "x", count: number * 37 % 900))
                if number % 40 < 39 {
                    if let id = setup.tracker("a")?.track(event) { ids.insert("\(id)") }
                } else if let id = try? await setup.tracker("a")?.trackCommitted(event) {
                    ids.insert("\(id)")
                }
            }
            return ids
        }
        _ = setup.experiments.variant(of: "e", default: "-", for: FeatureContext(userID: "u"))
        try? setup.features.overrides.set(8, for: "f", variable: "v")
        kill(setup)
        // Another process records that this one was killed.
        _ = write(damagedBy: [])
        kill(DamagedService.start(in: directory, collector))
        for kind in [
            "log-", "dead-letters", "assignments.", ".watch-", ".versions.json", "overrides", "cache/", "instance-id",
        ] {
            check(
                files.contains { $0.name.contains(kind) }, "a service leaves a file of each kind: \(files.map(\.name))")
        }
        Self.lastDirectory = directory
        atexit { try? FileManager.default.removeItem(atPath: LeftFiles.lastDirectory) }
    }

    /// Keeps the files as they are after a kill.
    private func kill(_ setup: Setup) {
        files = names.map { ($0, Array(FileManager.default.contents(atPath: "\(directory)/\($0)") ?? Data())) }
            .filter { !$0.1.isEmpty }
        _ = wait { await setup.shutdown(timeout: .zero) }
    }

    nonisolated(unsafe) private static var lastDirectory = ""

    private var names: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []).filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(directory)/\(name)", isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }.sorted()
    }

    private func clear() {
        try? FileManager.default.removeItem(atPath: directory)
        for name in ["state", "cache"] {
            try? FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)", withIntermediateDirectories: true)
        }
    }

    /// Writes all files with damage: a file's number, an offset of three bytes, a length and so many bytes that stand there
    /// then; a length of 0 cuts the file off.
    /// - Returns: The names of the damaged files.
    func write(damagedBy damage: ArraySlice<UInt8>) -> Set<String> {
        var (files, rest, damaged) = (self.files, damage, Set<String>())
        while rest.count >= 5 {
            let head = Array(rest.prefix(5))
            let index = Int(head[0]) % files.count
            let length = Int(head[4])
            let bytes = rest.dropFirst(5).prefix(length)
            rest = rest.dropFirst(5 + length)
            let size = files[index].bytes.count
            guard size > 0 else { continue }
            let offset = head[1...3].reduce(0) { $0 << 8 | Int($1) } % size
            if length == 0 { files[index].bytes.removeLast(size - offset) }
            for (place, byte) in zip(offset..<size, bytes) { files[index].bytes[place] = byte }
            damaged.insert("/" + files[index].name)
        }
        clear()
        for file in files {
            let path = "\(directory)/\(file.name)"
            check(FileManager.default.createFile(atPath: path, contents: Data(file.bytes)), "\(path) can be written")
        }
        return damaged
    }
}
