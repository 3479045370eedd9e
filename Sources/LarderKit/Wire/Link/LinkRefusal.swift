/// Why a link to a further page is not followed. Tells nothing of a path or query: they may hold a token.
package enum LinkRefusal: Error, Sendable, Hashable {
    /// The URL that the page was asked under is not an address over HTTP, or carries a user name or password.
    case pageHasNoOrigin
    /// A backslash, white space, a control character or another one that is not seen.
    case unfitCharacter
    /// Not a URL reference (RFC 3986).
    case notAURL
    /// A user name or password, which hides who is asked.
    case userInfo
    /// Another scheme than `http` and `https`, or no host and port that everyone reads in the same way.
    case noOrigin
    /// Another server than the page's, or the same one under another scheme or port.
    case otherOrigin(WebOrigin, page: WebOrigin)
}

extension LinkRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pageHasNoOrigin:
            "the link to a further page is not followed: the page's own URL is no plain http or https URL without a user name"
        case .unfitCharacter:
            "the link to a further page has a backslash, white space or an invisible character in it, and is not followed"
        case .notAURL: "the link to a further page is not a URL (RFC 3986), and is not followed"
        case .userInfo: "the link to a further page carries a user name or password, and is not followed"
        case .noOrigin: "the link to a further page is no http or https URL with a plain host, and is not followed"
        case .otherOrigin(let origin, let page):
            "the link to a further page leads to \(origin) and the page came from \(page): it is not followed"
        }
    }
}
