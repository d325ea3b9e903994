import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a damaged staging file", .endsWhenItHangs)
struct StagingDamageTests {
    /// A staging file with events in its first segment.
    private struct File {
        /// Where each record begins, and the end of the last one.
        var places: [Int] = []
        var bytes: [UInt8] = []
        var end: Int { places[places.count - 1] }
        var count: Int { places.count - 1 }

        init(events: Int, padding: Int = 0) throws {
            let directory = TemporaryDirectory()
            let path = directory.file("events-0.staging")
            let (area, contents) = try StagingArea.open(path, .standard, stored: [:])
            #expect(contents.leftovers.isEmpty)
            var current = try #require(area.begin().current)
            #expect(current.index == 0)
            let start = StagingFile.standard.start(of: current.index)
            for number in 1...events {
                places.append(start + current.end.offset)
                let isStaged = File.payload(number, padding).withUnsafeBytes { payload in
                    area.append(
                        StagedRecord(
                            namespace: 3, isAnonymous: number.isMultiple(of: 2), time: Int64(number),
                            sequence: UInt64(number), payload: payload), to: &current)
                }
                #expect(isStaged)
            }
            places.append(start + current.end.offset)
            bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        }

        static func payload(_ number: Int, _ padding: Int) -> [UInt8] {
            let text = String(repeating: "x", count: padding)
            return Array(#"{"e":"se","eid":"\#(number)","tna":"ns","se_la":"\#(text)"}"#.utf8)
        }

        /// The events whose records have no byte in some range.
        func events(outside range: Range<Int>) -> [Int64] {
            (0..<count).filter { places[$0 + 1] <= range.lowerBound || places[$0] >= range.upperBound }
                .map { Int64($0) + 1 }
        }
    }

    private func read(
        _ bytes: some Sequence<UInt8>, stored: [Int: StagedPosition] = [:]
    ) -> (times: [Int64], damaged: Int) {
        let found = Array(bytes).withUnsafeBytes { StagingFile.standard.leftovers(in: $0, stored: stored) }
        return (found.flatMap { $0.events.map(\.time) }, found.reduce(0) { $0 + $1.damaged })
    }

    @Test("each bit that is wrong costs at most the event it is in, which is counted")
    func flips() throws {
        let file = try File(events: 6)
        #expect(read(file.bytes) == ([1, 2, 3, 4, 5, 6], 0))
        let events = file.bytes.withUnsafeBytes { StagingFile.standard.leftovers(in: $0, stored: [:]) }.flatMap(
            \.events)
        // Without the mark a kill would send the user's address.
        #expect(events.map(\.isAnonymous) == [false, true, false, true, false, true])
        var bytes = Array(file.bytes[...file.end])
        for place in stride(from: 0, to: file.end, by: 3) {
            bytes[place] ^= 1 << UInt8(place % 8)
            let (times, damaged) = read(bytes)
            bytes[place] ^= 1 << UInt8(place % 8)
            let whole = file.events(outside: place..<place + 1)
            // A header is there more than once, and padding is in no event.
            let recordSize = file.places[1] - file.places[0]
            let isInRecord =
                place >= file.places[0]
                && (place - file.places[0]) % recordSize < StagedRecord.headerSize + File.payload(1, 0).count
            #expect(times == (isInRecord ? whole : [1, 2, 3, 4, 5, 6]), "byte \(place)")
            #expect(damaged == 6 - times.count, "byte \(place)")
        }
    }

    @Test("a damaged position of an impossible use counts for nothing: records of the next uses can still be read")
    func ignoresImpossiblePositions() throws {
        let position = StagedPosition(segment: 0, generation: 1 << 50, end: StagedEnd(offset: 512, count: 4))
        try File(events: 6).bytes.withUnsafeBytes { bytes in
            let contents = StagingFile.standard.contents(of: bytes, stored: [0: position])
            #expect(contents.leftovers.flatMap(\.events).count == 6)
            #expect(contents.lastGeneration == 1)
        }
    }

    @Test("a file of any length gives the events that are whole in it, and counts the others")
    func truncates() throws {
        let file = try File(events: 6)
        for length in stride(from: 0, through: file.end, by: 3) {
            let (times, damaged) = read(file.bytes.prefix(length))
            // The padding may be missing.
            let size = StagedRecord.headerSize + File.payload(1, 0).count
            let whole = (0..<6).filter { file.places[$0] + size <= length }.map { Int64($0) + 1 }
            #expect(times == whole, "length \(length)")
            if length >= file.places[0] { #expect(times.count + damaged == 6) }
        }
    }

    @Test("a page of zeros or random bytes costs the events that are in it, which are counted")
    func losesPages() throws {
        let file = try File(events: 60, padding: 150)
        let random = SeededRandom(seed: 7)
        for page in 0...file.end / 4096 {
            let range = page * 4096..<(page + 1) * 4096
            var bytes = file.bytes
            for place in range { bytes[place] = page % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next()) }
            let (times, damaged) = read(bytes)
            #expect(times == file.events(outside: range), "page \(page)")
            #expect(damaged == 60 - times.count, "page \(page)")
        }
    }

    @Test("records are found behind every length that a record may say it has")
    func findsBehindLengths() throws {
        let file = try File(events: 12, padding: 30)
        for bit in 0..<32 {
            var bytes = Array(file.bytes[...file.end])
            bytes[file.places[4] + 24 + bit / 8] ^= 1 << UInt8(bit % 8)
            let (times, damaged) = read(bytes)
            #expect(times == file.events(outside: file.places[4]..<file.places[5]), "bit \(bit)")
            #expect(damaged == 1)
        }
    }

    @Test("the last record is found behind damage, whatever an earlier use of the segment left behind it")
    func findsBeforeFormerUse() throws {
        let file = try File(events: 6)
        // As where the last record ends within the header of one of an earlier use, whose payload is still there.
        for offset in stride(from: 0, through: StagedRecord.headerSize, by: 8) {
            var bytes = file.bytes
            let former = File.payload(9, 0)
            bytes.replaceSubrange(file.end + offset..<file.end + offset + former.count, with: former)
            bytes[file.places[4] + 24] ^= 0xFF
            let found = read(bytes)
            #expect(found.times == [1, 2, 3, 4, 6] && found.damaged == 1, "\(offset) bytes behind it")
        }
    }

    @Test("a segment of which neither header nor copy can be read gives its events, and counts what lies between them")
    func losesHeaders() throws {
        let file = try File(events: 300, padding: 150)
        var bytes = file.bytes
        let start = StagingFile.headerSize
        let end = start + StagingFile.standard.segmentSize
        for place in start..<start + 4096 { bytes[place] = 0xAB }
        for place in end - 64..<end { bytes[place] = 0xAB }
        // A record that is damaged between others.
        bytes[file.places[100] + 40] ^= 1
        let (times, damaged) = read(bytes)
        let whole = file.events(outside: start..<start + 4096).filter { $0 != 101 }
        #expect(times == whole)
        // How many were in the page that is gone is not known.
        #expect(damaged == 2)
    }

    @Test("what the store has of a damaged segment is not found again", arguments: [true, false])
    func skipsStored(hasCopy: Bool) throws {
        let file = try File(events: 300, padding: 150)
        var bytes = file.bytes
        for place in StagingFile.headerSize..<StagingFile.headerSize + 4096 { bytes[place] = 0 }
        if !hasCopy {
            let segmentEnd = StagingFile.headerSize + StagingFile.standard.segmentSize
            for place in segmentEnd - 64..<segmentEnd { bytes[place] = 0 }
        }
        let end = StagedEnd(offset: file.places[200] - StagingFile.headerSize, count: 200)
        let (times, damaged) = read(bytes, stored: [0: StagedPosition(segment: 0, generation: 1, end: end)])
        #expect(times == Array(201...300))
        #expect(damaged == 0)
    }
}
