import LarderServer

/// Where to listen, as the command line says it: `PORT`, `ADDRESS:PORT` or `[ADDRESS]:PORT`.
struct ListenAddress: Sendable, Hashable {
    let address: String
    let port: UInt16

    init(_ text: String) throws(UsageError) {
        let (host, port): (Substring, Substring)
        if let colon = text.lastIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        } else {
            (host, port) = ("127.0.0.1", text[...])
        }
        guard let number = UInt16(port), !host.isEmpty else {
            throw UsageError("--listen takes ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080, not '\(text)'")
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let address = isBracketed ? host.dropFirst().dropLast() : host
        self.address = address == "localhost" ? "127.0.0.1" : String(address)
        self.port = number
    }

    var options: FrontOptions {
        var options = FrontOptions()
        options.address = address
        options.port = port
        return options
    }
}
