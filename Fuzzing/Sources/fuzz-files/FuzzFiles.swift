import Foundation
import Harness
import TrackerConfig

private nonisolated(unsafe) let left = LeftFiles()

/// Takes the input for damage to the files that a service left, and starts a service on what is there then.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let damaged = left.write(damagedBy: bytes[...])
    let service = DamagedService(directory: left.directory)
    let (sent, new) = service.run()
    check(new.map(sent.contains) ?? true, "a new event is sent")
    check(sent.isSubset(of: left.ids.union(new.map { [$0] } ?? [])), "nothing is sent that was not tracked")
    let isEventFile = damaged.contains { $0.contains("/log-") }
    check(isEventFile || left.ids.isSubset(of: sent), "damage to another file costs no event")
    check(left.size <= left.originalSize + 64 << 20, "the files grow by less than 64 MiB")
    return 0
}
