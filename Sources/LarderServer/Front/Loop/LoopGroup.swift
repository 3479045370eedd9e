/// The loops of one front.
final class LoopGroup: Sendable {
    let port: UInt16 = 0
    let counts = FrontCounters()

    init(options: FrontOptions, handler: any FrontHandler) throws(HTTPFrontError) {
        throw HTTPFrontError(address: options.address, port: options.port, code: 0)
    }

    func stop(within limit: Duration) {}
    func waitForEnd() async {}
}
