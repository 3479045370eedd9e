/// How much a run does.
struct StressSize: Sendable, Hashable {
    var readers = 1000
    var keys = 50
    var partitions = 5
    /// How long they read.
    var time = Duration.seconds(20)
    var seed: UInt64 = 1
    /// How long anything may take to return.
    var hangLimit = Duration.seconds(10)
    /// The longest pause of a reader between two things, in milliseconds.
    var pause = 40
    /// The longest time that somebody is signed in, in milliseconds.
    var signedIn = 4000
}

extension StressSize {
    /// Names that are easily taken for one another: the common one, and those that differ in case alone, or look like a path.
    func name(of partition: Int) -> String {
        let names = ["", "anna", "Anna", "anna/b", "anna%2Fb", "../anna"]
        return partition < names.count ? names[partition] : "account \(partition)"
    }
}
