import Harness
import TrackerConfig

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
    let (entry, warnings) = files.cache.entry(for: url) { _ in .usable }
    guard let entry else {
        check(warnings.count == 1 && !warnings[0].isEmpty, "a file that is passed over is told")
        check(!files.exists(for: url), "a file that is passed over is set aside")
        return
    }
    check(contents == files.sealed(Array(rest)), "nothing is read without a right checksum")
    check(warnings.isEmpty, "nothing is odd about what is used")
    check(entry.url.utf8.elementsEqual(url.utf8), "an entry belongs to its URL")
    check(header["fetched"].flatMap { Int64($0) } == entry.fetchTime, "the time is the one of the file")
    check(header["etag"] == entry.validators.entityTag, "the tag is the one of the file")
    check(header["last-modified"] == entry.validators.lastModified, "the date is the one of the file")
    check(entry.document.elementsEqual(header.body), "the document is what follows the empty line")
    let again = files.cache.entry(for: url) { $0 == entry ? .usable : .unusable("it differs") }
    check(again.entry == entry && again.warnings.isEmpty, "two readings agree")
    let refused = files.cache.entry(for: url) { _ in .unusable("it is refused") }
    check(refused.entry == nil && refused.warnings.count == 1, "what its user refuses is not used")
    check(!files.exists(for: url), "what its user refuses is set aside")
}

private func store(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    let texts = parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
    let entry = CacheEntry(
        // No URL that can be fetched from has a line break.
        url: (texts.first ?? "u").filter { !$0.isNewline },
        // None is higher, so that what is there already is replaced.
        version: .max, document: Array(parts.last ?? []),
        validators: DocumentValidators(
            entityTag: texts.count > 1 ? texts[1] : nil, lastModified: texts.count > 2 ? texts[2] : nil),
        fetchTime: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
    do throws(FileError) {
        try files.cache.store(entry)
    } catch {
        fatalError("broken: an entry is stored: \(error)")
    }
    let (read, warnings) = files.cache.entry(for: entry.url) { _ in .usable }
    check(warnings.isEmpty, "what was stored is unharmed: \(warnings)")
    check(read?.document == entry.document && read?.fetchTime == entry.fetchTime, "what was stored is read back")
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
