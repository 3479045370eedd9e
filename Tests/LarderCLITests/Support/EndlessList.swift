import Foundation
import LarderServer

/// A list without an end, an item a page, each with a cursor to the next: 1000, 999, … and on below zero.
enum EndlessList {
    static func answer(_ request: ServerRequest) -> ServerResponse {
        let number = request.queryValues("cursor").last.flatMap { Int($0) } ?? 1000
        return .json(Data("{\"items\":[{\"id\":\"\(number)\"}],\"next\":\"\(number - 1)\"}".utf8))
    }

    static let options = ["--items", "items", "--next", "next", "--limit", "1"]
}
