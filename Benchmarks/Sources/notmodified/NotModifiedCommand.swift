import CAllocations
import ConfigurationWorkload
import Foundation
import HTTPSink
import TrackerConfig
import Workload

/// Counts what a refresh costs whose answer is that nothing has changed; ends with 1 where it decodes, writes or keeps.
@main
enum NotModifiedCommand {
    private static let usage = """
        usage: notmodified [--refreshes N] [--bytes N]

        Refreshes are counted in five parts, and of what is kept the least counts.

          --refreshes N   how many are counted; built in: 10,000
          --bytes N       the size of the document in use; built in: 1,000,000
        """

    private static let parts = 5

    static func main() async {
        SinkProcess.serveIfAsked()
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            guard options.words.isEmpty else { throw BenchmarkError(usage) }
            let refreshes = try options.number("refreshes") ?? 10_000
            let bytes = try options.number("bytes") ?? 1_000_000
            try await measure("memory", bytes, refreshes, http: false)
            try await measure("loopback HTTP", bytes, refreshes, http: true)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure(_ subject: String, _ size: Int, _ refreshes: Int, http: Bool) async throws {
        let directory = try Rig.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let document = DocumentText.mixed(version: 1, bytes: size)
        let file = "\(directory)/document.json"
        try Data(document).write(to: URL(fileURLWithPath: file))
        let sink = http ? try SinkProcess(document: file) : nil
        var options = Service.options(in: directory, MemorySource(document))
        if http { options.source = nil }
        let remote = RemoteConfiguration(endpoint: sink?.url ?? Service.url)
        let setup = try Setup(remote: remote, options: options)
        _ = await setup.refresh()
        // The store's thread makes a place for each tracker after the document was applied.
        await setup.removeUnsentEvents(exceptNamespaces: Set(setup.namespaces))
        // The watch of the first moments ends by a write to its file.
        setup.confirmHealthy()
        guard setup.tracker("service-0") != nil else { throw BenchmarkError("the document was not applied") }
        // Lists and tables grow as far as they will; libdispatch keeps up to 1,024 continuations for each of its threads.
        try await refresh(setup, 5000)

        let written = try IOCount.now
        let start = Meter.nanoseconds
        var counts: [allocation_counts] = []
        for _ in 0..<parts {
            let before = allocations_of_process()
            try await refresh(setup, refreshes / parts)
            counts.append(allocations_of_process().minus(before))
        }
        let nanoseconds = Meter.nanoseconds - start
        let ioCount = try IOCount.now
        // What a refresh keeps is kept in each part; a new thread's continuations are not.
        let kept = counts.map { $0.allocations - $0.frees }.min() ?? 0
        let allocations = counts.reduce(0) { $0 + $1.allocations }
        let bytes = counts.reduce(0) { $0 + $1.bytes }

        let decoding = allocations_of_process()
        _ = try Document(document)
        let decoded = allocations_of_process().minus(decoding)
        let each = Double(refreshes)
        func print(_ name: String, _ value: Double, _ unit: String) throws {
            try Figure(name, value, unit, of: subject).print()
        }
        try print("refresh", Double(nanoseconds) / 1000 / each, "us")
        try print("allocations_of_refresh", Double(allocations) / each, "")
        try print("allocated_by_refresh", Double(bytes) / each, "bytes")
        try print("allocations_of_decoding", Double(decoded.allocations), "")
        try print("allocations_kept", Double(kept), "of \(refreshes / parts) refreshes")
        try print("write_calls", Double(ioCount.writes - written.writes), "of \(refreshes) refreshes")
        try print("written_to_disk", Double(ioCount.bytes - written.bytes), "bytes by \(refreshes) refreshes")
        await setup.shutdown(timeout: .zero)
        withExtendedLifetime(sink) {}

        // A refresh may end a moment after it has answered.
        guard kept < refreshes / parts / 20 else { throw BenchmarkError("\(subject): refreshes keep allocations") }
        guard Double(allocations) / each < Double(decoded.allocations) / 10 else {
            throw BenchmarkError("\(subject): refreshes decode the document")
        }
        guard ioCount.bytes == written.bytes else { throw BenchmarkError("\(subject): refreshes write to the disk") }
        // Over HTTP threads may wake each other by writes to a descriptor.
        guard http || ioCount.writes == written.writes else { throw BenchmarkError("\(subject): refreshes write") }
    }

    private static func refresh(_ setup: Setup, _ times: Int) async throws {
        for _ in 0..<times {
            let outcome = await setup.refresh()
            guard outcome == .notModified else { throw BenchmarkError("\(outcome)") }
        }
    }
}

extension allocation_counts {
    fileprivate func minus(_ other: allocation_counts) -> allocation_counts {
        allocation_counts(
            allocations: allocations - other.allocations, frees: frees - other.frees, bytes: bytes - other.bytes)
    }
}
