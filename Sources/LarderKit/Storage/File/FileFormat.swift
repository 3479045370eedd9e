import Foundation

/// One value in one file.
///
/// ```
/// 8 bytes   "LARDER1\n"
/// 4 bytes   length of the header, big-endian
/// 8 bytes   checksum of header and body, big-endian
/// header    JSON: partition, key, codec, times, validators, and the length of the body
/// body      the bytes of the value
/// ```
///
/// A file is written beside its place and moved there whole, so it is the old one or the new one. One whose length or
/// checksum does not fit was cut or torn by something else than Larder, and is reported as damaged until it is replaced.
enum FileFormat {
    struct Header: Codable {
        let partition: String
        let key: String
        let codec: String
        let codecVersion: Int
        let stamp: Int64
        /// Milliseconds since 1970.
        let storedAt: Int64
        /// Milliseconds.
        let lifetime: Int64?
        let etag: String?
        let lastModified: String?
        /// Milliseconds.
        let whileRevalidate: Int64?
        /// Milliseconds.
        let ifError: Int64?
        let bodyLength: Int
    }

    static let magic = Data("LARDER1\n".utf8)
    static let longestHeader = 1 << 24
    /// Where the header begins: behind magic, length and checksum.
    static let headerStart = magic.count + 4 + 8

    static func encode(_ entry: StoredEntry, for key: StoreKey) throws -> Data {
        let metadata = entry.metadata
        let header = try JSONEncoder().encode(
            Header(
                partition: key.partition, key: key.key, codec: metadata.codec.name,
                codecVersion: metadata.codec.version,
                stamp: metadata.stamp, storedAt: metadata.storedAt.millisecondsSince1970,
                lifetime: metadata.lifetime?.milliseconds, etag: metadata.validators.etag,
                lastModified: metadata.validators.lastModified,
                whileRevalidate: metadata.stale.whileRevalidate?.milliseconds,
                ifError: metadata.stale.ifError?.milliseconds, bodyLength: entry.body.count))
        var checksum = Checksum()
        checksum.add(header)
        checksum.add(entry.body)
        var file = Data(capacity: headerStart + header.count + entry.body.count)
        file.append(magic)
        withUnsafeBytes(of: UInt32(header.count).bigEndian) { file.append(contentsOf: $0) }
        withUnsafeBytes(of: checksum.value.bigEndian) { file.append(contentsOf: $0) }
        file.append(header)
        file.append(entry.body)
        return file
    }

    /// The length of the header, from a file's beginning up to ``headerStart``.
    static func headerLength(_ beginning: Data) throws(StorageError) -> Int {
        guard beginning.starts(with: magic) else {
            throw StorageError.corrupt("a file of the store does not begin as one")
        }
        let length = beginning.dropFirst(magic.count).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard beginning.count >= headerStart, length <= longestHeader else {
            throw StorageError.corrupt("a file of the store is cut")
        }
        return length
    }

    static func header(_ bytes: Data) throws(StorageError) -> Header {
        do { return try JSONDecoder().decode(Header.self, from: bytes) } catch {
            throw StorageError.corrupt("the header of a file of the store cannot be read")
        }
    }

    static func metadata(_ header: Header) -> EntryMetadata {
        EntryMetadata(
            codec: CodecID(name: header.codec, version: header.codecVersion), stamp: header.stamp,
            storedAt: Date(millisecondsSince1970: header.storedAt), lifetime: header.lifetime.map { .milliseconds($0) },
            validators: Validators(etag: header.etag, lastModified: header.lastModified),
            stale: StaleWindows(
                whileRevalidate: header.whileRevalidate.map { .milliseconds($0) },
                ifError: header.ifError.map { .milliseconds($0) }))
    }

    static func key(_ header: Header) -> StoreKey {
        StoreKey(partition: header.partition, key: header.key)
    }

    /// - Returns: `nil` when the file is sound and holds the value of another key.
    static func decode(_ file: Data, for key: StoreKey) throws(StorageError) -> StoredEntry? {
        let rest = file.dropFirst(headerStart)
        let headerLength = try headerLength(file.prefix(headerStart))
        guard rest.count >= headerLength else { throw StorageError.corrupt("a file of the store is cut") }
        let header = try header(rest.prefix(headerLength))
        let body = rest.dropFirst(headerLength)
        guard body.count == header.bodyLength else { throw StorageError.corrupt("a file of the store is cut") }
        var checksum = Checksum()
        checksum.add(rest.prefix(headerLength))
        checksum.add(body)
        let stored = file.prefix(headerStart).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard checksum.value == stored else { throw StorageError.corrupt("a file of the store is damaged") }
        guard self.key(header) == key else { return nil }
        return StoredEntry(body: Data(body), metadata: metadata(header))
    }
}
