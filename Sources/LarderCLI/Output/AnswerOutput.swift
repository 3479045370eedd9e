import Foundation
import LarderHTTPCache
import LarderKit

/// A stored HTTP answer, shown.
struct AnswerOutput: Sendable {
    let listed: ListedAnswer
    /// How many more are stored for its URL.
    let others: Int
    let inspector: AnswerInspector
    let folder: URL

    private var answer: StoredAnswer { listed.found.answer }

    /// - Throws: ``Trouble`` where parts of the body are gone.
    func write(isMeta: Bool, isJSON: Bool) throws(Trouble) -> ExitCode {
        do {
            if isJSON {
                try StandardStream.output.write(try json(withBody: !isMeta).bytes + Data("\n".utf8))
            } else if isMeta {
                for line in lines { try StandardStream.output.line(line) }
            } else {
                try writeBody()
            }
            return .success
        } catch let error as LarderError {
            throw Trouble(error, Subject(origin: "", folder: folder, isOffline: true, thing: "this URL"))
        } catch let trouble as Trouble {
            throw trouble
        } catch let failure as StreamFailure {
            guard case .failed(let cause) = failure else { return .success }
            throw Trouble(
                "output", "standard output cannot be written and is not whole: \(cause)", exitCode: .storage)
        } catch {
            throw Trouble("unexpected", "\(error)", exitCode: .unexpected)
        }
    }

    private func writeBody() throws {
        var last: UInt8?
        let isWhole = try inspector.readBody(of: listed.found) { piece in
            last = piece.last ?? last
            try StandardStream.output.write(piece)
        }
        if Terminal.output.isTerminal, last != 0x0A { try StandardStream.output.line() }
        guard isWhole else { throw gone }
        let more = others > 0 ? "; \(others) more for this URL, see 'larder explain'" : ""
        let facts = "HTTP answer, " + listed.facts.joined(separator: ", ") + more
        try StandardStream.error.line(Terminal.error.styled(facts, .dim))
    }

    private var gone: Trouble {
        Trouble(
            "incomplete", "parts of the body are gone from \(folder.path), to make room: it is not shown whole.",
            exitCode: .failure)
    }

    private func json(withBody: Bool) throws -> JSONText {
        var members: [(name: String, value: JSONText)] =
            [
                ("kind", .string("httpAnswer")), ("partition", .string(listed.found.partition)),
                ("key", .string(Endpoint.shown(listed.found.url))),
            ] + listed.members
        members += [
            ("reason", .string(answer.reason)),
            (
                "headers",
                .array(
                    answer.headers.fields.map {
                        .object([("name", .string($0.name)), ("value", .string(Self.shown($0)))])
                    })
            ),
            ("others", .number(others)),
        ]
        guard withBody else { return .object(members) }
        var body = Data()
        guard try inspector.readBody(of: listed.found, { body.append($0) }) else { throw gone }
        let isJSON = (try? JSONSplitter.validate(body)) != nil
        members += [
            ("value", isJSON ? .verbatim(body) : .null),
            ("base64", isJSON ? .null : .string(body.base64EncodedString())),
        ]
        return .object(members)
    }

    /// A field's value, unless it may be secret.
    private static func shown(_ field: HeaderFields.Field) -> String {
        SecretName.isSecret(field.name) ? "…" : field.value
    }

    /// The head, and what is known of the answer, a line a fact.
    private var lines: [String] {
        let facts: [(label: String, text: String?)] = [
            ("account", listed.found.partition.isEmpty ? nil : listed.found.partition),
            ("url", Endpoint.shown(listed.found.url)),
            ("status", "\(answer.status) \(answer.reason)"),
            ("size", "\(Units.size(listed.size)), the body \(Units.size(answer.size))"),
            ("stored", Units.timestamp(listed.storedAt)),
            ("state", listed.freshnessText),
            ("varies by", answer.variant.fields.isEmpty ? nil : ListedAnswer.variantText(answer)),
            ("others", others > 0 ? "\(others) more for this URL" : nil),
            ("pinned", listed.isPinned ? "yes" : "no"),
        ]
        return facts.compactMap { label, text in
            text.map { "\(Printable.padded(label, to: 10))  \(Printable.line($0))" }
        } + answer.headers.fields.map { Printable.line("\($0.name): \(Self.shown($0))") }
    }
}
