import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// The form of a cached document in its file.
@Suite("A cache entry's file")
struct CacheEntryTests {
    private static let small = CacheEntry(
        url: "https://config.example/x", version: 1, document: Array("{}".utf8),
        validators: DocumentValidators(entityTag: "\"1\"", lastModified: "then"), fetchTime: Date(milliseconds: 17))

    @Test(
        "every part makes the round trip",
        arguments: [
            small,
            CacheEntry(
                url: "u", version: 1, document: [], validators: DocumentValidators(), fetchTime: Date(milliseconds: 0)),
            CacheEntry(
                url: "u v", version: 1, document: Array("\n\nurl x\n".utf8),
                validators: DocumentValidators(entityTag: ""),
                fetchTime: Date(milliseconds: -1)),
            CacheEntry(
                url: "é☃", version: 1, document: Array(0...255),
                validators: DocumentValidators(entityTag: "W/\"a b  c\" ", lastModified: " \r"),
                fetchTime: Date(milliseconds: 1_700_000_000_123)),
            CacheEntry(
                url: "u", version: 1, document: [10], validators: DocumentValidators(entityTag: "\u{301}x"),
                fetchTime: .distantPast),
        ])
    func roundTrip(entry: CacheEntry) {
        #expect(CacheEntry(serializedBytes: entry.serializedBytes) == entry)
    }

    @Test(
        "a validator with a line break is left out, and the rest stays whole",
        arguments: ["\n", "a\n\nb", "a\nurl other"])
    func lineBreak(text: String) {
        var entry = Self.small
        entry.validators = DocumentValidators(entityTag: text, lastModified: text)
        let read = CacheEntry(serializedBytes: entry.serializedBytes)
        #expect(read?.url == entry.url)
        #expect(read?.document == entry.document)
        #expect(read?.validators == DocumentValidators())
    }

    @Test("a file cut short anywhere is not read")
    func truncated() {
        let contents = Self.small.serializedBytes
        for length in 0..<contents.count { #expect(CacheEntry(serializedBytes: Array(contents.prefix(length))) == nil) }
    }

    @Test("a file with one byte changed to any other is not read")
    func changed() {
        let contents = Self.small.serializedBytes
        for place in contents.indices {
            for mask in UInt8(1)...255 {
                var broken = contents
                broken[place] ^= mask
                if CacheEntry(serializedBytes: broken) != nil { Issue.record("byte \(place) ^ \(mask)") }
            }
        }
    }

    @Test("a file with bytes added, left out, doubled or swapped is not read")
    func edited() {
        let contents = Self.small.serializedBytes
        for place in contents.indices {
            var broken = contents
            broken.insert(0, at: place)
            #expect(CacheEntry(serializedBytes: broken) == nil)
            broken = contents
            broken.remove(at: place)
            #expect(CacheEntry(serializedBytes: broken) == nil)
            broken = contents
            let next = (place + 1) % contents.count
            broken.swapAt(place, next)
            if broken != contents { #expect(CacheEntry(serializedBytes: broken) == nil) }
        }
        #expect(CacheEntry(serializedBytes: contents + [0]) == nil)
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
        #expect(CacheEntry(serializedBytes: contents("\(header)\n\(rest)"))?.document == Array(rest.utf8))
    }

    @Test("random bytes are not read and do not trap")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        let source = SeededRandom(seed: seed)
        for count in 0..<2000 {
            var bytes = [UInt8](repeating: 0, count: count % 300)
            bytes.withUnsafeMutableBytes { source.fill($0) }
            let lines = bytes.map { $0 % 16 == 0 ? UInt8(ascii: "\n") : $0 }
            #expect(CacheEntry(serializedBytes: lines) == nil)
        }
    }

    @Test("headers and the epoch make the round trip, and what no line can hold is left out")
    func headers() {
        var entry = Self.small
        entry.versionEpoch = 3
        entry.headers = [
            HTTPHeader(name: "X-Signature", value: "a: b"), HTTPHeader(name: "x-signature", value: ""),
            HTTPHeader(name: "Date", value: " é "),
        ]
        #expect(CacheEntry(serializedBytes: entry.serializedBytes) == entry)
        let kept = entry.headers
        entry.headers.append(HTTPHeader(name: "X-Break", value: "a\nurl other"))
        #expect(CacheEntry(serializedBytes: entry.serializedBytes)?.headers == kept)
        #expect(CacheEntry(serializedBytes: entry.serializedBytes)?.url == entry.url)
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

    @Test("a file of the release before is read, with epoch 0 and without headers")
    func old() {
        let contents = "tracker-config-cache 1 18f8cdad0cf3f0d9\nurl u\nversion 7\nfetched 5\netag x\n\n{}"
        var hash = StableHash()
        hash.combine(contents.utf8.drop { $0 != 0x0A }.dropFirst())
        let file = contents.replacing("18f8cdad0cf3f0d9", with: hash.hex)
        let entry = CacheEntry(serializedBytes: Array(file.utf8))
        #expect(entry?.documentVersion == 7)
        #expect(entry?.headers == [])
        #expect(entry?.document == Array("{}".utf8))
    }

    @Test("a time is stored in milliseconds, and none that a caller or a file may have is a trap")
    func times() {
        func stored(_ time: Date) -> Date? {
            var entry = Self.small
            entry.fetchTime = time
            return CacheEntry(serializedBytes: entry.serializedBytes)?.fetchTime
        }
        for milliseconds: Int64 in [0, 1, -1, 1_700_000_000_001, 253_402_300_799_999, -62_167_219_200_000] {
            #expect(stored(Date(milliseconds: milliseconds))?.milliseconds == milliseconds)
        }
        #expect(stored(Date(timeIntervalSince1970: 1.2345))?.milliseconds == 1235)
        #expect(stored(Date(timeIntervalSince1970: .nan))?.milliseconds == 0)
        for time in [Double.infinity, 1e300, -.infinity, -1e300] {
            #expect(stored(Date(timeIntervalSince1970: time))?.milliseconds == (time > 0 ? 1 << 49 : -(1 << 49)))
        }
        #expect(Date(milliseconds: .max).milliseconds == 1 << 49)
    }
}
