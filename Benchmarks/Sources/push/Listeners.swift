import Foundation
import Synchronization

/// A process of setups that listen to a channel, and what it says.
final class Listeners: Sendable {
    private struct State {
        var applied: [Int: [UInt64]] = [:]
        var resident: Int?
    }

    private let process: Process
    private let input = Pipe()
    private let state = Mutex(State())

    var id: Int32 { process.processIdentifier }

    /// Starts the process.
    /// - Parameters:
    ///   - channel: What they listen to.
    ///   - setups: How many there are.
    ///   - isDeaf: Whether they only have the document.
    /// - Throws: If the process cannot be started.
    init(of channel: Channel, setups: Int, isDeaf: Bool = false) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        var arguments = ["subscriber", "--url", channel.url, "--setups", "\(setups)"]
        if !isDeaf, let stream = channel.stream { arguments += ["--stream", stream] }
        if isDeaf, channel.kind == .file { arguments += ["--document", "\(channel.directory)/document.json"] }
        process.arguments = arguments
        // Without a home nothing of it is on a disk.
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let reader = output.fileHandleForReading
        Thread { [weak self] in
            var rest = Data()
            while case let data = reader.availableData, !data.isEmpty {
                rest += data
                guard let end = rest.lastIndex(of: 0x0A) else { continue }
                self?.take(rest[...end])
                rest = Data(rest[(end + 1)...])
            }
        }.start()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// When setups applied a version, in nanoseconds.
    func applied(_ version: Int) -> [UInt64] { state.withLock { $0.applied[version] ?? [] } }

    /// The memory of the process, after what is free was given back, in bytes.
    func resident() throws -> Int {
        state.withLock { $0.resident = nil }
        try input.fileHandleForWriting.write(contentsOf: Data("resident\n".utf8))
        while true {
            if let bytes = state.withLock({ $0.resident }) { return bytes }
            usleep(10_000)
        }
    }

    private func take(_ lines: Data) {
        state.withLock { state in
            for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 2, let value = UInt64(words[1]) else { continue }
                if let version = Int(words[0]) {
                    state.applied[version, default: []].append(value)
                } else {
                    state.resident = Int(value)
                }
            }
        }
    }
}
