import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// The form of a cached document in its file.
@Suite("A cache entry's file", .endsWhenItHangs)
struct CacheEntryTests {
    private static let small = CacheEntry(
        url: "https://config.example/x", version: 1, document: Array("{}".utf8),
        validators: DocumentValidators(entityTag: "\"1\"", lastModified: "then"), fetchTime: Date(milliseconds: 17))

    @Test(
        "every part makes the round trip",
        arguments: [
            small,
            CacheEntry(
                url: "u v", version: 1, document: Array("\n\nurl x\n".utf8),
                validators: DocumentValidators(entityTag: ""), fetchTime: Date(milliseconds: -1)),
            CacheEntry(
                url: "é☃", version: 1, document: Array(0...255),
                validators: DocumentValidators(entityTag: "W/\"a b  c\" ", lastModified: " \r"),
                fetchTime: Date(milliseconds: 1_700_000_000_123),
                headers: [
                    HTTPHeader(name: "X-Signature", value: "a: b"), HTTPHeader(name: "x-signature", value: ""),
                    HTTPHeader(name: "Date", value: " é "),
                ]),
            CacheEntry(
                url: "u", version: 1, document: [], validators: DocumentValidators(entityTag: "\u{301}x"),
                fetchTime: .distantPast),
        ])
    func roundTrip(entry: CacheEntry) {
        #expect(CacheEntry(serializedBytes: entry.serializedBytes) == entry)
    }

    @Test(
        "a validator or a header with a line break is left out, and the rest stays whole",
        arguments: ["\n", "a\nurl b"])
    func lineBreak(text: String) {
        var entry = Self.small
        entry.validators = DocumentValidators(entityTag: text, lastModified: text)
        entry.headers = [HTTPHeader(name: "X-Signature", value: "s"), HTTPHeader(name: "X-Break", value: text)]
        let read = CacheEntry(serializedBytes: entry.serializedBytes)
        (entry.validators, entry.headers) = (DocumentValidators(), [HTTPHeader(name: "X-Signature", value: "s")])
        #expect(read == entry)
    }

    @Test("a file that is cut anywhere, or has a byte changed, added or left out, is not read")
    func damaged() {
        let contents = Self.small.serializedBytes
        for place in contents.indices {
            var (changed, longer, shorter) = (contents, contents, contents)
            changed[place] ^= 0x20
            longer.insert(0, at: place)
            shorter.remove(at: place)
            for broken in [Array(contents[..<place]), changed, longer, shorter] {
                if CacheEntry(serializedBytes: broken) != nil { Issue.record("byte \(place)") }
            }
        }
        #expect(CacheEntry(serializedBytes: contents + contents) == nil)
    }

    @Test("a header without the empty line after it is not read", arguments: ["", "x", "{}", "etag"])
    func headerWithoutEnd(rest: String) {
        func contents(_ text: String) -> [UInt8] {
            var hash = StableHash()
            hash.combine(text.utf8)
            return Array("tracker-config-cache 1 \(hash.hex)\n\(text)".utf8)
        }
        let header = "url u\nversion 1\nfetched 1\n"
        #expect(CacheEntry(serializedBytes: contents(header + rest)) == nil)
        // As the release before wrote it, without headers.
        let whole = CacheEntry(
            url: "u", version: 1, document: Array(rest.utf8), validators: DocumentValidators(),
            fetchTime: Date(milliseconds: 1))
        #expect(CacheEntry(serializedBytes: contents("\(header)\n\(rest)")) == whole)
    }

    @Test("of headers beyond 64 KiB those that fit are kept")
    func manyHeaders() {
        var entry = Self.small
        entry.headers = [
            HTTPHeader(name: "Large", value: String(repeating: "x", count: 1 << 20)),
            HTTPHeader(name: "X-Signature", value: "s"),
            HTTPHeader(name: "Half", value: String(repeating: "y", count: 1 << 15)),
            HTTPHeader(name: "Also", value: String(repeating: "z", count: 1 << 15)),
        ]
        let contents = entry.serializedBytes
        #expect(contents.count < 1 << 17)
        #expect(CacheEntry(serializedBytes: contents)?.headers.map(\.name) == ["X-Signature", "Half"])
    }

    @Test("a time is stored in milliseconds, and none that a caller or a file may have is a trap")
    func times() {
        func stored(_ time: Date) -> Date? {
            var entry = Self.small
            entry.fetchTime = time
            return CacheEntry(serializedBytes: entry.serializedBytes)?.fetchTime
        }
        for milliseconds: Int64 in [0, -1, 1_700_000_000_001, 253_402_300_799_999, -62_167_219_200_000] {
            #expect(stored(Date(milliseconds: milliseconds))?.milliseconds == milliseconds)
        }
        #expect(stored(Date(timeIntervalSince1970: 1.2345))?.milliseconds == 1235)
        #expect(stored(Date(timeIntervalSince1970: .nan))?.milliseconds == 0)
        for time in [Double.infinity, 1e300, -.infinity, -1e300] {
            let bound: Int64 = time > 0 ? 1 << 49 : -(1 << 49)
            #expect(stored(Date(timeIntervalSince1970: time))?.milliseconds == bound)
        }
        #expect(Date(milliseconds: .max).milliseconds == 1 << 49)
    }
}
