import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// SHA-256 (FIPS 180-4) by the system's own library: CryptoKit on Apple's systems, OpenSSL's libcrypto elsewhere.
enum SHA256Digest {
    /// The 32 bytes of the digest in lower-case hexadecimal digits, or `nil` where the library has it switched off.
    static func hex(of bytes: Data) -> String? {
        digest(of: bytes)?.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    #if canImport(CryptoKit)
        private static func digest(of bytes: Data) -> [UInt8]? { Array(SHA256.hash(data: bytes)) }
    #else
        private static func digest(of bytes: Data) -> [UInt8]? {
            let input = Array(bytes)
            var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
            return SHA256(input, input.count, &output) == nil ? nil : output
        }
    #endif
}
