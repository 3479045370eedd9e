import LarderHTTPCache

extension OfflineRule {
    /// A rule as the command line says it: `HOST/PATH=keep-no-store,serve-unvalidated,for=7d`.
    init(argument text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(
                "--rule takes HOST/PATH=WHAT, such as 'api.example.com/v1=serve-unvalidated', not '\(text)'")
        }
        let place = text[..<equals]
        let slash = place.firstIndex(of: "/") ?? place.endIndex
        let host = String(place[..<slash])
        guard !host.isEmpty else { throw UsageError("--rule '\(text)' names no host; '*' stands for all") }
        let path = slash == place.endIndex ? "/" : String(place[slash...])
        self.init(host: host, path: path)
        for word in text[text.index(after: equals)...].split(separator: ",") {
            switch word {
            case "keep-no-store": keepsNoStore = true
            case "serve-unvalidated": servesUnvalidated = true
            case _ where word.hasPrefix("for="):
                guard let time = Duration(argument: String(word.dropFirst(4))) else {
                    throw UsageError("--rule '\(text)': for= takes a time such as 12h or 7d")
                }
                limit = time
            default:
                throw UsageError(
                    "--rule '\(text)': '\(word)' is none of keep-no-store, serve-unvalidated and for=TIME")
            }
        }
        guard keepsNoStore || servesUnvalidated else {
            throw UsageError("--rule '\(text)' allows nothing: add keep-no-store, serve-unvalidated or both")
        }
    }
}
