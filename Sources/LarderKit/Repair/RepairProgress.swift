import Foundation
import LarderSQLite

/// Whether the work is to go on, and how far it has come.
final class RepairProgress: Sendable {
    private let report: (@Sendable (Double) -> Void)?
    private let mayGoOn: @Sendable () -> Bool

    init(report: (@Sendable (Double) -> Void)? = nil, mayGoOn: @escaping @Sendable () -> Bool = { true }) {
        self.report = report
        self.mayGoOn = mayGoOn
    }

    func reached(_ fraction: Double) { report?(min(1, max(0, fraction))) }

    func check() throws {
        if !mayGoOn() { throw CancellationError() }
    }

    var continues: Bool { mayGoOn() }
}
