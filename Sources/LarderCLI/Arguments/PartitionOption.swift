/// The account that the commands which look after a cache are told of.
enum PartitionOption {
    static let option = Option.value(
        "partition", "NAME", help: "the account it belongs to, as 'larder ls' names it", default: "none")
}
