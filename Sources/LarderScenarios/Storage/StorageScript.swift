import Foundation
import LarderKit

/// A case of the format `steps/1` that is about the disk: what is put and read back while another process writes, the disk is
/// full, or more is put than may be kept. It runs in real time, on real files.
struct StorageScript: Sendable {
    let steps: [StorageStep]
    /// What may be kept; everything, unless said.
    let capacity: Int?
    /// How large the disk is; as large as it is, unless said.
    let diskSize: Int?
    /// How long a write waits for another process.
    let busyLimit: Duration?
    /// What the case expects and nothing here can check.
    let unchecked: Set<String>

    private static let known: Set<String> = [
        "format", "case", "area", "title", "source", "variants", "capacityBytes", "diskBytes", "busyLimit", "steps",
    ]

    /// Whether a case is of this kind: it says something that only this kind can mean.
    static func describes(_ value: ScriptValue) -> Bool {
        guard case .object(let members) = value, case .list(let steps)? = members["steps"] else { return false }
        if members["capacityBytes"] != nil || members["diskBytes"] != nil || members["busyLimit"] != nil { return true }
        return steps.contains { step in
            guard case .object(let members) = step else { return false }
            if members["process"] != nil || members["sql"] != nil || members["bytes"] != nil { return true }
            guard case .text(let word)? = members["do"] else { return false }
            return StorageStep.ownWords.contains(word)
        }
    }

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "the case", known: Self.known)
        var steps: [StorageStep] = []
        for (index, value) in (try fields.list("steps") ?? []).enumerated() {
            steps.append(try StorageStep(value, number: index + 1))
        }
        guard !steps.isEmpty else { throw CaseFailure("the case does nothing") }
        self.steps = steps
        capacity = try fields.count("capacityBytes")
        diskSize = try fields.count("diskBytes")
        busyLimit = try fields.seconds("busyLimit").map { .seconds($0) }
        unchecked = steps.contains { $0.operation == .enqueue } ? ["enqueueOutbox, since there is no outbox yet"] : []
    }
}
