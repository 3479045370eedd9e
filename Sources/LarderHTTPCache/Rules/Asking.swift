internal import LarderKit

extension Planner {
    /// The request to the origin: as it came, but for what concerns one connection only; with our own condition in place of the
    /// client's where something of ours may still be good (RFC 9111 section 4.3.1).
    var asking: Asking {
        var asking = Asking(reason: reason, headers: HTTPRules.endToEnd(request.headers))
        if !wishes.noStore {
            if let (chosen, _) = chosen { validate(chosen, &asking) } else { resume(&asking) }
        }
        asking.ifFails = fallback(.onError, isAnswered: true)
        asking.ifUnreachable = fallback(.onError, isAnswered: false)
        asking.isShareable = isShareable
        return asking
    }

    /// A request that is none of a client's own.
    func validation(of candidate: Candidate) -> Asking {
        var asking = Asking(reason: .stale, headers: HTTPRules.endToEnd(request.headers))
        validate(candidate, &asking)
        asking.isShareable = isShareable
        return asking
    }

    private func validate(_ candidate: Candidate, _ asking: inout Asking) {
        guard 200..<300 ~= candidate.stored.status else { return }
        let conditions = Self.conditions(of: candidate.stored)
        guard !conditions.isEmpty else { return }
        asking.validates = candidate.index
        asking.headers = HeaderFields(
            asking.headers.without(["if-none-match", "if-modified-since"]).fields + conditions)
    }

    /// The validators as the origin gave them. An empty one is none: sent back, it would match nothing.
    private static func conditions(of stored: StoredAnswer) -> [HeaderFields.Field] {
        [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")].compactMap { condition, validator in
            stored.headers.first(validator).flatMap {
                $0.isEmpty ? nil : HeaderFields.Field(name: condition, value: $0)
            }
        }
    }

    /// Asks for the rest of a body whose beginning is stored, where the whole is wanted: if it is still the same by a strong
    /// validator, and also without any validator while it is fresh. An account's own rest is not added to what is for all.
    private func resume(_ asking: inout Asking) {
        guard request.method == "GET", !isOfAccountAmongMany, RequestedRange(request.headers) == .none,
            !request.headers.fields.contains(where: { HTTPRules.conditions.contains($0.name.lowercased()) }),
            let start = candidates.first(where: { isStart($0) })
        else { return }
        let condition = Self.strongCondition(of: start.stored)
        guard condition != nil || (Self.conditions(of: start.stored).isEmpty && start.facts.isReusable(at: context.now))
        else { return }
        asking.resumes = Asking.Resumption(index: start.index, from: start.stored.size)
        asking.headers = asking.headers.without(["range"])
        asking.headers.append(name: "Range", value: "bytes=\(start.stored.size)-")
        if let condition { asking.headers.append(name: "If-Range", value: condition) }
    }

    private func isStart(_ candidate: Candidate) -> Bool {
        guard let part = candidate.stored.part, !candidate.facts.isBarred else { return false }
        return part.first == 0 && !candidate.stored.isMisstated && part.total != part.count
    }

    private static func strongCondition(of stored: StoredAnswer) -> String? {
        if let tag = EntityTag(stored.headers) { return tag.isWeak ? nil : tag.opaque }
        return HTTPRules.isStrongDate(stored) ? stored.headers.first("Last-Modified") : nil
    }

    private var isOfAccountAmongMany: Bool { context.kind == .shared && request.headers.has("Authorization") }

    /// A GET of the whole, on no condition of the client's, whose answer a shared cache may give to others.
    private var isShareable: Bool {
        request.method == "GET" && !wishes.noStore && !isOfAccountAmongMany
            && !request.headers.fields.contains {
                let name = $0.name.lowercased()
                return name == "range" || HTTPRules.conditions.contains(name)
            }
    }
}
