import Foundation
import LarderKit

/// Opens a larder and reads the newest page of its feed: the whole life of a program, for larder-bench.
@main
struct OpenLarder {
    static func main() throws {
        let larder = try Larder(.folder(URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)))
        let feed = larder.common.feedOfBytes("home", json: JSONItems(), paging: .byID) { _ in
            RawAnswer(body: Data())
        }
        exit(try feed.peek()?.value.items.count == 20 ? 0 : 1)
    }
}
