import Foundation
import Harness
import TrackerConfig
import TrackerFeatures

private nonisolated(unsafe) let files = CacheFiles()

/// Offers the input to the cache as a file, as what stands in a file behind a right checksum, and as what to store.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCache(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = input(start, count)
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
    readBack(bytes, rest: bytes[end...])
    readBack(files.sealed(bytes), rest: bytes[...])
    store(bytes)
    return 0
}

private func readBack(_ contents: [UInt8], rest: ArraySlice<UInt8>) {
    let header = Header(rest)
    let url = header["url"] ?? "https://config.example/x"
    files.write(contents, for: url)
    let entries = files.entries(for: url)
    guard let entry = entries.first else {
        check(!files.exists(for: url), "a file that is passed over is set aside")
        return
    }
    check(contents == files.sealed(Array(rest)), "nothing is read without a right checksum")
    check(entries.count == 1, "a file has one entry")
    check(entry.url.utf8.elementsEqual(url.utf8), "an entry belongs to its URL")
    let time = header["fetched"].flatMap { Int64($0) }.map { min(max($0, -largestTime), largestTime) }
    check(time == milliseconds(entry), "the time is the one of the file")
    check(header["etag"] == entry.validators.entityTag, "the tag is the one of the file")
    check(header["last-modified"] == entry.validators.lastModified, "the date is the one of the file")
    check(entry.document.elementsEqual(header.body), "the document is what follows the empty line")
    check(files.entries(for: url) == entries, "two readings agree")
    files.remove(entries, for: url)
    check(files.entries(for: url).isEmpty, "what is removed is not read")
    check(!files.exists(for: url), "what is removed is set aside")
}

// Beyond it a date is not exact to the millisecond.
private let largestTime: Int64 = 1 << 49

private func milliseconds(_ entry: CacheEntry) -> Int64 {
    let milliseconds = (entry.fetchTime.timeIntervalSince1970 * 1000).rounded()
    return Int64(min(max(milliseconds, Double(-largestTime)), Double(largestTime)))
}

private func store(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    let texts = parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
    let entry = CacheEntry(
        // No URL that can be fetched from has a line break.
        url: (texts.first ?? "u").filter { !$0.isNewline },
        version: .max, document: Array(parts.last ?? []),
        validators: DocumentValidators(
            entityTag: texts.count > 1 ? texts[1] : nil, lastModified: texts.count > 2 ? texts[2] : nil),
        fetchTime: Date(timeIntervalSince1970: Double(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })))
    files.store(entry)
    let read = files.entries(for: entry.url).first
    check(read?.document == entry.document, "what was stored is read back")
    let isTime = !entry.fetchTime.timeIntervalSince1970.isNaN
    check(!isTime || read.map(milliseconds) == milliseconds(entry), "the time is read back")
    check(read?.url.utf8.elementsEqual(entry.url.utf8) == true, "the URL is read back byte for byte")
    check(agree(read?.validators.entityTag, entry.validators.entityTag), "the tag is read back or left out")
    check(agree(read?.validators.lastModified, entry.validators.lastModified), "the date is read back or left out")
    files.clear()
}

/// A text with a line break cannot stand on one line.
private func agree(_ read: String?, _ stored: String?) -> Bool {
    guard let stored, !stored.utf8.contains(UInt8(ascii: "\n")) else { return read == nil }
    return read?.utf8.elementsEqual(stored.utf8) == true
}
