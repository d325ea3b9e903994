import Foundation

/// What the kernel has counted of this process's writes (proc(5), `/proc/self/io`).
struct IOCount {
    /// Calls of `write` and its kin, to files, pipes and whatever else.
    let writes: Int
    /// Bytes that were or will be written to a disk.
    let bytes: Int

    static var now: IOCount {
        get throws {
            let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
            func number(_ name: String) -> Int {
                let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
            }
            return IOCount(writes: number("syscw"), bytes: number("write_bytes"))
        }
    }
}
