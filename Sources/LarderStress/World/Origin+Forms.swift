import Foundation
import LarderKit

extension Origin {
    /// A value, for a closure that is told nothing.
    func plain(_ place: Place, of session: Session, asked: Int) async throws -> Owned {
        switch try await ask(place, of: session, asked: asked) {
        case .value(let value), .cut(let value): return value
        case .notModified, .page: throw FetchFailure(.wrongAnswer, "a page where a value was due")
        case .status(let status, let pause): throw FetchFailure.http(status: status, retryAfter: pause)
        case .failure(let error): throw error
        }
    }

    /// The same for a closure that may answer "not modified".
    func typed(_ place: Place, of session: Session, asked: Int, _ request: ResourceRequest) async throws -> Answer<
        Owned
    > {
        switch try await ask(place, of: session, asked: asked, validators: request.validators) {
        case .value(let value), .cut(let value):
            return .value(
                value, validators: Validators(etag: "\(value.serial)"), maxAge: .milliseconds(value.serial % 90))
        case .notModified: return .notModified
        case .page: throw FetchFailure(.wrongAnswer, "a page where a value was due")
        case .status(let status, let pause): throw FetchFailure.http(status: status, retryAfter: pause)
        case .failure(let error): throw error
        }
    }

    /// The same as bytes.
    func raw(_ place: Place, of session: Session, asked: Int, _ request: ResourceRequest) async throws -> RawAnswer {
        switch try await ask(place, of: session, asked: asked, validators: request.validators) {
        case .value(let value):
            let maxAge = "max-age=\(value.serial % 3)"
            return RawAnswer(
                headers: ["Content-Type": "application/json", "ETag": "\"\(value.serial)\"", "Cache-Control": maxAge],
                body: try value.json)
        case .cut(let value):
            return RawAnswer(headers: ["Content-Type": "application/json"], body: try value.json.dropLast(5))
        case .notModified:
            return RawAnswer(status: 304, body: Data())
        case .page:
            return RawAnswer(headers: ["Content-Type": "text/html"], body: Data("<html>Welcome</html>".utf8))
        case .status(let status, let pause):
            return RawAnswer(status: status, headers: pause == nil ? [:] : ["Retry-After": "0"], body: Data())
        case .failure(let error):
            throw error
        }
    }
}
