import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a damaged segment", .endsWhenItHangs)
struct SegmentReaderTests {
    private static let format = LogFormat(segmentSize: 64 << 10, segmentCount: 1)

    /// A segment with events.
    private struct Example {
        /// Where each record begins, and the end of the last one.
        var places: [Int] = []
        var bytes: [UInt8] = []
        var end: Int { places[places.count - 1] }
        var count: Int { places.count - 1 }

        init(events: Int, padding: Int = 0) throws {
            let file = try #require(LogFile(memory: SegmentReaderTests.format))
            let pool = SegmentPool(format: SegmentReaderTests.format, maxMemoryBytes: 1 << 30)
            let segment = pool.begin(file)
            segment.store(.generation, segment.generation)
            var end = SegmentEnd.start
            for index in 1...events {
                places.append(end.offset)
                Example.payload(index, padding).withUnsafeBytes { payload in
                    let record = EventRecord(
                        namespace: 3, isAnonymous: index.isMultiple(of: 2), time: Int64(index), sequence: UInt64(index),
                        payload: payload)
                    record.write(to: segment.memory, at: end.offset, generation: segment.generation)
                    end = SegmentEnd(offset: end.offset + record.size(hasSeal: true), count: index)
                }
                segment.store(.published, end.word)
            }
            places.append(end.offset)
            bytes = Array(UnsafeRawBufferPointer(start: segment.memory, count: SegmentReaderTests.format.segmentSize))
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

    private func read(_ bytes: some Sequence<UInt8>) -> (times: [Int64], done: Int, damaged: Int) {
        Array(bytes).withUnsafeBytes { bytes in
            let contents = SegmentReader(format: Self.format, bytes: bytes).contents()
            return (contents.waiting.map(\.record.time), contents.doneCount, contents.damagedCount)
        }
    }

    @Test("each bit that is wrong costs at most the event it is in, which is counted; none makes an event done")
    func flips() throws {
        let file = try Example(events: 6)
        #expect(read(file.bytes) == ([1, 2, 3, 4, 5, 6], 0, 0))
        file.bytes.withUnsafeBytes { bytes in
            let contents = SegmentReader(format: Self.format, bytes: bytes).contents()
            // Without the mark a kill would send the user's address.
            #expect(contents.waiting.map(\.record.isAnonymous) == [false, true, false, true, false, true])
        }
        var bytes = file.bytes
        for place in 0..<file.end {
            for bit in [place % 8, (place + 5) % 8] {
                bytes[place] ^= 1 << UInt8(bit)
                let (times, done, damaged) = read(bytes)
                bytes[place] ^= 1 << UInt8(bit)
                // A header is there more than once, a mark is any other value, and padding is in no event.
                let start = file.places.last { $0 <= place } ?? 0
                let size = EventRecord.headerSize + Example.payload(1, 0).count
                let isInRecord = place >= file.places[0] && place - start < size && !(8..<16 ~= place - start)
                let whole = file.events(outside: place..<place + 1)
                #expect(times == (isInRecord ? whole : [1, 2, 3, 4, 5, 6]), "byte \(place)")
                #expect(done == 0 && damaged == 6 - times.count, "byte \(place)")
            }
        }
    }

    @Test("what is marked as done is not found, and what an earlier use of the segment left is neither found nor done")
    func knowsMarks() throws {
        let file = try Example(events: 6)
        var bytes = file.bytes
        func mark(_ index: Int, generation: UInt64) {
            withUnsafeBytes(of: DoneMark.of(generation, file.places[index])) { mark in
                bytes.replaceSubrange(file.places[index] + 8..<file.places[index] + 16, with: mark)
            }
        }
        mark(1, generation: 1)
        mark(4, generation: 1)
        #expect(read(bytes) == ([1, 3, 4, 6], 2, 0))
        mark(2, generation: 2)
        #expect(read(bytes) == ([1, 3, 4, 6], 2, 0))
        // Text of a user in its place.
        bytes.replaceSubrange(file.places[0] + 8..<file.places[0] + 16, with: Array("12345678".utf8))
        #expect(read(bytes) == ([1, 3, 4, 6], 2, 0))
        // The same bytes as a later use.
        for offset in Self.format.offsets(of: .generation) {
            withUnsafeBytes(of: UInt64(2)) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
        }
        #expect(read(bytes) == ([], 0, 6))
    }

    @Test("a file of any length gives the events that are whole in it, and counts the others")
    func truncates() throws {
        let file = try Example(events: 6)
        for length in 0...file.end {
            let (times, _, damaged) = read(file.bytes.prefix(length))
            // The padding may be missing.
            let size = EventRecord.headerSize + Example.payload(1, 0).count
            let whole = (0..<6).filter { file.places[$0] + size <= length }.map { Int64($0) + 1 }
            #expect(times == whole, "length \(length)")
            if length >= file.places[0] { #expect(times.count + damaged == 6) }
        }
    }

    @Test("a page of zeros or random bytes costs the events that are in it, which are counted")
    func losesPages() throws {
        let file = try Example(events: 60, padding: 150)
        let random = SeededRandom(seed: 7)
        for page in 0...file.end / 4096 {
            let range = page * 4096..<(page + 1) * 4096
            var bytes = file.bytes
            for place in range { bytes[place] = page % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next()) }
            let (times, _, damaged) = read(bytes)
            #expect(times == file.events(outside: range), "page \(page)")
            #expect(damaged == 60 - times.count, "page \(page)")
        }
    }

    @Test("records are found behind every length that a record may say it has")
    func findsBehindLengths() throws {
        let file = try Example(events: 12, padding: 30)
        for bit in 0..<32 {
            var bytes = file.bytes
            bytes[file.places[4] + 28 + bit / 8] ^= 1 << UInt8(bit % 8)
            let (times, _, damaged) = read(bytes)
            #expect(times == file.events(outside: file.places[4]..<file.places[5]), "bit \(bit)")
            #expect(damaged == 1)
        }
    }

    @Test("the last record is found behind damage, whatever an earlier use of the segment left behind it")
    func findsBeforeFormerUse() throws {
        let file = try Example(events: 6)
        // As where the last record ends within the header of one of an earlier use, whose payload is still there.
        for offset in stride(from: 0, through: EventRecord.headerSize, by: 8) {
            var bytes = file.bytes
            let former = Example.payload(9, 0)
            bytes.replaceSubrange(file.end + offset..<file.end + offset + former.count, with: former)
            bytes[file.places[4] + 28] ^= 0xFF
            let found = read(bytes)
            #expect(found.times == [1, 2, 3, 4, 6] && found.damaged == 1, "\(offset) bytes behind it")
        }
    }

    @Test(
        "a segment of which no copy of its words can be read gives its events, and counts what lies between them",
        arguments: [0xAB, 0] as [UInt8])
    func losesHeaders(byte: UInt8) throws {
        let file = try Example(events: 300, padding: 100)
        var bytes = file.bytes
        for place in Array(0..<4096) + Array(bytes.count - 64..<bytes.count) { bytes[place] = byte }
        // A record that is damaged between others.
        bytes[file.places[100] + 40] ^= 1
        let (times, _, damaged) = read(bytes)
        #expect(times == file.events(outside: 0..<4096).filter { $0 != 101 })
        // How many were in the page that is gone is not known.
        #expect(damaged == 2)
    }
}

@Suite("the header of a file of the log", .endsWhenItHangs)
struct LogHeaderTests {
    @Test("is read from either copy, and nothing else is taken for one")
    func readsCopies() {
        var header = LogHeader(format: LogFormat(segmentSize: 8192, segmentCount: 3))
        let taken = [LogHeader.Taken(file: 7, unit: 520, mark: 9), LogHeader.Taken(file: 8, unit: 521, mark: 10)]
        header.take(taken)
        let bytes = header.bytes
        func read(_ bytes: [UInt8]) -> LogHeader.Reading { bytes.withUnsafeBytes { LogHeader.read($0) } }
        #expect(read(bytes) == .header(header))
        #expect(taken.withUnsafeBytes { header.taken(in: $0) } == taken)
        #expect(taken.dropLast().withUnsafeBytes { header.taken(in: $0) } == [])
        for place in 0..<48 {
            var damaged = bytes
            damaged[place] ^= 0x10
            #expect(read(damaged) == .header(header), "byte \(place)")
            damaged[2048 + place] ^= 0x10
            #expect(read(damaged) == .unknown, "byte \(place) of both")
        }
        #expect(read([UInt8](repeating: 0, count: 4096)) == .blank)
        #expect(read(Array(bytes.prefix(47))) == .unknown)
        #expect(read([]) == .blank)
    }
}
