import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("sent events that the disk could not remove are not sent again", .endsWhenItHangs)
struct UnremovedTests {
    private let directory = TemporaryDirectory()

    private func run(_ ids: ClosedRange<Int64>, _ checksum: Int64) -> UnremovedRows.Run {
        UnremovedRows.Run(ids: ids, checksum: checksum)
    }

    @Test("runs that touch become one")
    func joins() {
        var rows = UnremovedRows()
        for run in [run(5...6, 1), run(1...2, 2), run(9...9, 4), run(3...4, 8), run(7...8, 16)] { rows.insert(run) }
        #expect(rows.runs == [run(1...9, 31)])
        rows.insert(run(11...11, 32))
        #expect(rows.runs == [run(1...9, 31), run(11...11, 32)])
        rows.remove(within: 0...10)
        #expect(rows.runs == [run(11...11, 32)])
    }

    @Test("the last whole note counts, whichever byte is damaged and wherever the file ends")
    func readsNotes() {
        var header = [UInt8](repeating: 0, count: StagingFile.headerSize)
        func noted() -> [UnremovedRows.Run] { header.withUnsafeBytes { UnremovedRows.noted(in: $0).rows.runs } }
        #expect(noted() == [])
        var notes: [[UnremovedRows.Run]] = [[]]
        for number in 1...5 as ClosedRange<Int64> {
            var rows = UnremovedRows()
            for id in 0..<number * 20 { rows.insert(run(id * 2...id * 2, id)) }
            header.withUnsafeMutableBytes { rows.note(in: $0, number: number) }
            notes.append(Array(rows.runs.prefix(UnremovedRows.mostRuns)))
            #expect(noted() == notes[Int(number)])
        }
        let (whole, last, former) = (header, notes[5], notes[4])
        for place in header.indices {
            header[place] ^= 1
            #expect(noted() == last || noted() == former)
            header = whole
        }
        for count in header.indices {
            let runs = header.withUnsafeBytes {
                UnremovedRows.noted(in: UnsafeRawBufferPointer(rebasing: $0[..<count])).rows.runs
            }
            #expect(runs == last || runs == former || runs == [])
        }
    }
}
