/// A post with all its fields, as an app's model has them.
struct Post: Codable, Sendable {
    let id: Int64
    let idText: String
    let createdAt: String
    let text: String
    let language: String
    let source: String
    let truncated: Bool
    let replyTo: String?
    let author: Author
    let boosts: Int
    let likes: Int
    let replies: Int
    let views: Int
    let liked: Bool
    let boosted: Bool
    let pinned: Bool
    let sensitive: Bool
    let tags: [Tag]
    let links: [Link]
    let media: [Medium]
    let thread: String
    let visibility: String
    let url: String
    let place: Place
    let card: Card

    struct Author: Codable, Sendable {
        let id: String
        let name: String
        let handle: String
        let location: String
        let bio: String
        let website: String
        let avatar: String
        let joinedAt: String
        let followers: Int
        let following: Int
        let posts: Int
        let verified: Bool
        let locked: Bool

        enum CodingKeys: String, CodingKey {
            case id, name, handle, location, bio, website, avatar, followers, following, posts, verified, locked
            case joinedAt = "joined_at"
        }
    }

    struct Tag: Codable, Sendable {
        let name: String
        let start: Int
    }

    struct Link: Codable, Sendable {
        let url: String
        let expandedURL: String
        let displayURL: String
        let start: Int

        enum CodingKeys: String, CodingKey {
            case url, start
            case expandedURL = "expanded_url"
            case displayURL = "display_url"
        }
    }

    struct Medium: Codable, Sendable {
        let id: String
        let url: String
        let kind: String
        let width: Int
        let height: Int
        let description: String
    }

    struct Place: Codable, Sendable {
        let name: String
        let country: String
        let kind: String
    }

    struct Card: Codable, Sendable {
        let title: String
        let summary: String
        let image: String
    }

    enum CodingKeys: String, CodingKey {
        case id, text, language, source, truncated, author, boosts, likes, replies, views, liked, boosted, pinned
        case sensitive, tags, links, media, thread, visibility, url, place, card
        case idText = "id_str"
        case createdAt = "created_at"
        case replyTo = "reply_to"
    }
}

/// The eight fields that a list shows.
struct ListedPost: Decodable, Sendable {
    let id: Int64
    let createdAt: String
    let text: String
    let boosts: Int
    let likes: Int
    let liked: Bool
    let author: Author

    struct Author: Decodable, Sendable {
        let name: String
    }

    enum CodingKeys: String, CodingKey {
        case id, text, boosts, likes, liked, author
        case createdAt = "created_at"
    }
}
