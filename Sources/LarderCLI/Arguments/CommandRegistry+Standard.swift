extension CommandRegistry {
    /// The tool as it is shipped. A new command is named here, and nowhere else.
    static let standard = CommandRegistry(
        tool: "larder",
        about: "Larder keeps what the network delivered last, and serves it with the network or without it.",
        version: "0.1.0",
        commands: [
            DemoCommand.self, GetCommand.self, FeedCommand.self, ListCommand.self, ShowCommand.self,
            ExplainCommand.self, StatsCommand.self, PathCommand.self, VerifyCommand.self,
            RepairCommand.self, CollectCommand.self, ExportCommand.self, ImportCommand.self, RemoveCommand.self,
            PinCommand.self, TailCommand.self,
            WarmCommand.self, ProxyCommand.self, SampleAPICommand.self,
        ])
}
