package import Foundation
package import LarderKit

extension ServerResponse {
    /// A short text as an answer.
    package static func plain(status: Int = 200, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// `body`, which is JSON, as an answer.
    package static func json(status: Int = 200, headers: HeaderFields = [:], _ body: Data) -> ServerResponse {
        let type = HeaderFields.Field(name: "Content-Type", value: "application/json")
        return ServerResponse(status: status, headers: HeaderFields([type] + headers.fields), body: body)
    }
}
