import TestSupport
import Testing

@testable import TrackerCore

@Suite("sent events that the disk could not remove are not sent again", .endsWhenItHangs)
struct UnremovedTests {
    @Test("the last whole note counts, whichever byte is damaged and wherever the file ends")
    func readsNotes() {
        var header = [UInt8](repeating: 0, count: StagingFile.headerSize)
        func noted(_ count: Int = StagingFile.headerSize) -> [UnremovedRows.Run] {
            header.withUnsafeBytes { bytes in
                UnremovedRows.noted(in: UnsafeRawBufferPointer(rebasing: bytes[..<count])).rows.runs
            }
        }
        #expect(noted() == [])
        var notes: [[UnremovedRows.Run]] = [[]]
        for number in 1...5 as ClosedRange<Int64> {
            var rows = UnremovedRows()
            for id in 0..<number * 20 { rows.insert(UnremovedRows.Run(ids: id * 2...id * 2, checksum: id)) }
            header.withUnsafeMutableBytes { rows.note(in: $0, number: number) }
            notes.append(Array(rows.runs.prefix(UnremovedRows.mostRuns)))
            #expect(noted() == notes[Int(number)])
        }
        let (last, former) = (notes[5], notes[4])
        for place in stride(from: 0, to: header.count, by: 7) {
            header[place] ^= 1
            let found = noted()
            header[place] ^= 1
            #expect(found == last || found == former, "byte \(place)")
            let start = noted(place)
            #expect(start == last || start == former || start == [], "\(place) bytes")
        }
    }
}
