// Records in the form of earlier versions: JSON, by the names that the compact form goes by.

import Board

@testable import Wire

enum RecordForms {
    static func json(of track: Track) -> RecordContents {
        contents { TrackRecord.append(track, &$0, to: &$1) }
    }

    static func json(of schedule: Schedule) -> RecordContents {
        contents { ScheduleRecord.append(schedule, &$0, to: &$1) }
    }

    static func json(of delivery: Delivery) -> [UInt8] {
        contents { DeliveryRecord.append(delivery, to: &$1) }.body
    }

    private static func contents(_ append: (inout RecordParts, inout JSONWriter) -> Void) -> RecordContents {
        var parts = RecordParts()
        var json = JSONWriter()
        json.object { append(&parts, &$0) }
        return RecordContents(body: json.bytes, parts: parts.texts)
    }
}
