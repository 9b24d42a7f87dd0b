// SPDX-License-Identifier: Apache-2.0

import Basics
import ConfigHub
import Testing

struct ScheduledTimeTests {
    @Test(arguments: [
        ("2027-03-28T09:00:00+02:00", "2027-03-28T07:00:00.000Z"),
        ("2027-03-28T09:00:00[Europe/Berlin]", "2027-03-28T07:00:00.000Z"),
        ("2027-03-27T09:00:00[Europe/Berlin]", "2027-03-27T08:00:00.000Z"),
        ("2027-03-28T01:59:59[Europe/Berlin]", "2027-03-28T00:59:59.000Z"),
        ("2027-03-28T03:00:00[Europe/Berlin]", "2027-03-28T01:00:00.000Z"),
        ("2027-10-31T02:30:00+02:00[Europe/Berlin]", "2027-10-31T00:30:00.000Z"),
        ("2027-10-31T02:30:00+01:00[Europe/Berlin]", "2027-10-31T01:30:00.000Z"),
        ("2027-10-31T00:30:00Z[Europe/Berlin]", "2027-10-31T00:30:00.000Z"),
        ("2027-10-31T00:30:00-00:00[Europe/Berlin]", "2027-10-31T00:30:00.000Z"),
        ("2027-10-31T02:30:00.250+01:00[Europe/Berlin]", "2027-10-31T01:30:00.250Z"),
        ("2027-06-01T09:00:00[Asia/Kolkata]", "2027-06-01T03:30:00.000Z"),
        ("2027-06-01T09:00:00[America/St_Johns]", "2027-06-01T11:30:00.000Z"),
        ("2027-06-01T09:00:00.25[UTC]", "2027-06-01T09:00:00.250Z"),
        // Half an hour, on Lord Howe Island.
        ("2027-10-03T02:30:00[Australia/Lord_Howe]", "2027-10-02T15:30:00.000Z"),
    ])
    func readsInstantsAndLocalTimes(text: String, instant: String) throws {
        #expect(try ScheduledTime(text).instant.description == instant)
        #expect(try ScheduledTime(text).text == text)
    }

    @Test func offersBothInstantsAroundClockChanges() throws {
        func refusal(_ text: String) throws -> ScheduleError? {
            #expect(throws: ScheduleError.self) { try ScheduledTime(text) }
        }
        let gap = ["2027-03-28T01:30:00+01:00[Europe/Berlin]", "2027-03-28T03:30:00+02:00[Europe/Berlin]"]
        let skipped = "2027-03-28T02:30:00[Europe/Berlin]"
        #expect(try refusal(skipped) == .missing(skipped, gap))
        let twice = "2027-10-31T02:30:00[Europe/Berlin]"
        let overlap = ["2027-10-31T02:30:00+02:00[Europe/Berlin]", "2027-10-31T02:30:00+01:00[Europe/Berlin]"]
        #expect(try refusal(twice) == .ambiguous(twice, overlap))
        let halfHour = "2027-10-03T02:15:00[Australia/Lord_Howe]"
        let halves = [
            "2027-10-03T01:45:00+10:30[Australia/Lord_Howe]", "2027-10-03T02:45:00+11:00[Australia/Lord_Howe]",
        ]
        #expect(try refusal(halfHour) == .missing(halfHour, halves))
        for choice in gap + overlap + halves { _ = try ScheduledTime(choice) }
        #expect(ScheduleError.ambiguous(twice, overlap).message.contains(overlap[1]))
    }

    @Test(arguments: [
        ("", ScheduleError.form), ("tomorrow", .form), ("2027-03-28", .form), ("2027-03-28T09:00:00", .form),
        ("2027-02-30T09:00:00Z", .form), ("2027-03-28T09:00:00[Europe/Berlin", .form),
        ("2027-03-28T09:00:00[]", .zone("")), ("2027-03-28T09:00:00[Europe/Atlantis]", .zone("Europe/Atlantis")),
        ("2027-03-28T09:00:00[EST]", .zone("EST")), ("2027-03-28T09:00:00[../etc/passwd]", .zone("../etc/passwd")),
        ("2027-03-28T09:00:00+05:00[Europe/Berlin]", .offset("2027-03-28T09:00:00+05:00", "Europe/Berlin")),
    ])
    func rejectsOtherForms(text: String, error: ScheduleError) {
        #expect(throws: error) { try ScheduledTime(text) }
    }
}
