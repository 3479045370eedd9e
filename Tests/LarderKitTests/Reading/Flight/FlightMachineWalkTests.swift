import Testing

@testable import LarderKit

/// Everything that can happen to a few flights, in every order.
@Suite struct FlightMachineWalkTests {
    private typealias Thing = FlightModel.Thing

    private static let worlds: [[FlightModel.Thing]] = [
        // Two requests of one feed, and a resource at another host.
        [
            Thing(name: "newest", partition: "p", lane: "feed", origin: "x"),
            Thing(name: "older", partition: "p", lane: "feed", origin: "x"),
            Thing(name: "resource", partition: "q", lane: nil, origin: "y"),
        ],
        // A feed that two handles ask at different hosts, and a resource at one of them.
        [
            Thing(name: "newest", partition: "p", lane: "feed", origin: "x"),
            Thing(name: "older", partition: "p", lane: "feed", origin: "y"),
            Thing(name: "resource", partition: "q", lane: nil, origin: "x"),
        ],
        // Those that name no host.
        [
            Thing(name: "newest", partition: "p", lane: "feed", origin: nil),
            Thing(name: "resource", partition: "p", lane: nil, origin: nil),
            Thing(name: "resource", partition: "q", lane: nil, origin: nil),
        ],
    ]

    @Test(arguments: 0..<3)
    func `whatever happens in whatever order, nobody is lost and nothing is stuck`(world: Int) throws {
        var seen: Set<FlightModel> = []
        var front = [FlightWalk(Self.worlds[world])]
        for _ in 0..<5 {
            var next: [FlightWalk] = []
            for walk in front {
                for event in walk.events {
                    var walk = walk
                    try walk.take(event)
                    guard seen.insert(walk.model.place).inserted else { continue }
                    try walk.end()
                    next.append(walk)
                }
            }
            front = next
        }
        #expect(seen.count > 3000)
    }
}
