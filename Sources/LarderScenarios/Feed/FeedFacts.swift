import LarderKit

/// What a user of the library can see of a feed at one moment.
struct FeedFacts: Sendable {
    struct Row: Sendable {
        let id: ItemID
        let text: String?
        let decodes: Bool
    }

    /// Newest first.
    var rows: [Row] = []
    var gaps: [Gap] = []
    var isAtEnd = false
    var isHeadProven = false

    var ids: [ItemID] { rows.map(\.id) }
    /// The ids of the items that decode.
    var decodableIDs: [ItemID] { rows.filter(\.decodes).map(\.id) }

    init() {}

    /// - Throws: ``CaseFailure`` where the library contradicts itself.
    init(of feed: Feed<some ReaderItem>, in larder: Larder) async throws {
        gaps = try feed.gaps()
        var shownGaps: [Gap] = []
        for row in try feed.timeline()?.value ?? Timeline() {
            switch row {
            case .item(let id, let item): rows.append(Row(id: id, text: item.text, decodes: true))
            case .undecodable(let id), .vanished(let id): rows.append(Row(id: id, text: nil, decodes: false))
            case .gap(let gap): shownGaps.append(gap)
            }
        }
        guard shownGaps == gaps else {
            throw CaseFailure("the timeline shows the gaps \(shownGaps.shown), and gaps() says \(gaps.shown)")
        }
        let summary = try await larder.feeds().first
        isHeadProven = summary?.headProvenAt != nil
        // Of an empty feed only a read tells whether it is known to be one.
        isAtEnd = rows.isEmpty ? try feed.peek()?.value.isAtEnd ?? false : summary?.isFloorProven ?? false
    }
}
