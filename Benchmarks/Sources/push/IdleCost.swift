import Foundation
import Workload

/// What it costs to listen while nothing is published.
struct IdleCost {
    /// What a process took.
    private struct Account {
        var resident = 0
        var threads = 0
        /// How often its threads went to sleep, and were made to wait.
        var switches = 0
        var cpuSeconds = 0.0
    }

    // Beyond the bar, because memory comes by pages, and few setups share the rest.
    private static let mostBytes = 30_000.0

    private let kind: Channel.Kind
    private let setups: Int
    private let seconds: Int

    init(_ kind: Channel.Kind, setups: Int, seconds: Int) {
        (self.kind, self.setups, self.seconds) = (kind, setups, seconds)
    }

    func measure() throws {
        // Without heartbeats, so that whatever wakes a process is its own doing. A stream may be silent for 45 s.
        let channel = try Channel(kind, heartbeat: 0)
        try channel.publish(1)
        let deaf = try account(channel, isDeaf: true)
        let listening = try account(channel, isDeaf: false)
        withExtendedLifetime(channel) {}
        let subject = "\(kind), \(setups) setups"
        let bytes = Double(listening.resident - deaf.resident) / Double(setups)
        let threads = listening.threads - deaf.threads
        let wakeUps = Double(listening.switches - deaf.switches) / Double(setups) / Double(seconds) * 60
        let cpu = (listening.cpuSeconds - deaf.cpuSeconds) / Double(seconds)
        try Figure("memory_per_stream", bytes / 1000, "KB", of: subject).print()
        try Figure("threads_of_streams", Double(threads), "threads", of: subject).print()
        try Figure("wake_ups_per_stream", wakeUps, "/min", of: subject).print()
        try Figure("cpu_of_streams", cpu * 1000, "ms/s", of: subject).print()
        guard bytes <= Self.mostBytes else { throw BenchmarkError("\(subject): a stream has too much memory") }
        // One may serve all.
        guard threads <= 2 else { throw BenchmarkError("\(subject): streams have threads of their own") }
        guard wakeUps < 1 else { throw BenchmarkError("\(subject): idle streams wake the process") }
    }

    private func account(_ channel: Channel, isDeaf: Bool) throws -> Account {
        let process = try Listeners(of: channel, setups: setups, isDeaf: isDeaf)
        for _ in 0..<3000 where process.applied(1).count < setups { usleep(10_000) }
        guard process.applied(1).count >= setups else { throw BenchmarkError("\(kind): the setups do not start") }
        // Connections are made, and the watches of the first moments end.
        sleep(5)
        _ = try process.resident()
        let before = Self.account(of: process.id)
        sleep(UInt32(seconds))
        var account = Self.account(of: process.id)
        account.switches -= before.switches
        account.cpuSeconds -= before.cpuSeconds
        account.resident = try process.resident()
        return account
    }

    /// What /proc says of a process.
    private static func account(of id: Int32) -> Account {
        var account = Account()
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
        account.threads = tasks.count
        for task in tasks {
            let status = (try? String(contentsOfFile: "/proc/\(id)/task/\(task)/status", encoding: .utf8)) ?? ""
            for line in status.split(separator: "\n") where line.contains("_ctxt_switches:") {
                account.switches += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
            }
        }
        let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        // The times of the user and the system, in ticks, behind the name in brackets.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
        account.cpuSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        return account
    }
}
