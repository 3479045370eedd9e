import Foundation
import LarderKit

/// What was pinned, or is no longer; or all that is.
struct PinReport: Sendable {
    let isOff: Bool
    let isList: Bool
    var keys: [StoreKey] = []
    var troubles: [Trouble] = []

    func write(isJSON: Bool) throws(StreamFailure) -> ExitCode {
        if isJSON {
            try StandardStream.output.write(json.bytes + Data("\n".utf8))
        } else {
            for line in lines { try StandardStream.output.line(line) }
        }
        return try troubles.write("pin")
    }

    var lines: [String] {
        keys.map { key in
            let name = key.key.isEmpty ? "''" : Printable.line(Endpoint.shown(key.key))
            let place = key.partition.isEmpty ? "" : " (account \(Printable.line(key.partition)))"
            return (isList ? "" : isOff ? "no longer pinned: " : "pinned: ") + name + place
        }
    }

    var json: JSONText {
        let keys = keys.map {
            JSONText.object([("partition", .string($0.partition)), ("key", .string(Endpoint.shown($0.key)))])
        }
        return .object([(isOff ? "unpinned" : "pinned", .array(keys)), ("errors", troubles.json)])
    }
}
