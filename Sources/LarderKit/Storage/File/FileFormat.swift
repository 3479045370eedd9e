import Foundation

/// One value in one file.
///
/// ```
/// 8 bytes   "LARDER1\n"
/// 4 bytes   length of the header, big-endian
/// header    JSON: partition, key, codec, times, validators, and the length of the body
/// body      the bytes of the value
/// ```
///
/// A file is written beside its place and moved there whole, so it is the old one or the new one. One whose length does
/// not fit its header was cut by something else than Larder, and is reported as damaged until it is replaced.
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
        let bodyLength: Int
    }

    static let magic = Data("LARDER1\n".utf8)
    static let longestHeader = 1 << 24

    static func encode(_ entry: StoredEntry, for key: StoreKey) throws -> Data {
        let metadata = entry.metadata
        let header = try JSONEncoder().encode(
            Header(
                partition: key.partition, key: key.key, codec: metadata.codec.name,
                codecVersion: metadata.codec.version,
                stamp: metadata.stamp, storedAt: metadata.storedAt.millisecondsSince1970,
                lifetime: metadata.lifetime?.milliseconds, etag: metadata.validators.etag,
                lastModified: metadata.validators.lastModified, bodyLength: entry.body.count))
        var file = Data(capacity: magic.count + 4 + header.count + entry.body.count)
        file.append(magic)
        withUnsafeBytes(of: UInt32(header.count).bigEndian) { file.append(contentsOf: $0) }
        file.append(header)
        file.append(entry.body)
        return file
    }

    /// - Parameter file: The whole file, or its beginning when only the header is wanted.
    static func header(of file: Data) throws -> (header: Header, bodyStart: Int) {
        let file = file[...]
        guard file.starts(with: magic) else { throw StorageError.corrupt("a file of the store does not begin as one") }
        let lengthStart = file.startIndex + magic.count
        guard file.count >= magic.count + 4 else { throw StorageError.corrupt("a file of the store is cut") }
        let length = file[lengthStart..<lengthStart + 4].reduce(0) { $0 << 8 | Int($1) }
        let headerStart = lengthStart + 4
        guard length <= longestHeader, file.endIndex - headerStart >= length else {
            throw StorageError.corrupt("a file of the store is cut")
        }
        do {
            let header = try JSONDecoder().decode(Header.self, from: file[headerStart..<headerStart + length])
            return (header, headerStart + length)
        } catch {
            throw StorageError.corrupt("the header of a file of the store cannot be read")
        }
    }

    static func metadata(_ header: Header) -> EntryMetadata {
        EntryMetadata(
            codec: CodecID(name: header.codec, version: header.codecVersion), stamp: header.stamp,
            storedAt: Date(millisecondsSince1970: header.storedAt), lifetime: header.lifetime.map { .milliseconds($0) },
            validators: Validators(etag: header.etag, lastModified: header.lastModified))
    }

    static func key(_ header: Header) -> StoreKey {
        StoreKey(partition: header.partition, key: header.key)
    }

    static func decode(_ file: Data, for key: StoreKey) throws -> StoredEntry? {
        let (header, bodyStart) = try header(of: file)
        guard self.key(header) == key else { return nil }
        guard file.endIndex - bodyStart == header.bodyLength else {
            throw StorageError.corrupt("a file of the store is cut")
        }
        return StoredEntry(body: Data(file[bodyStart...]), metadata: metadata(header))
    }
}
