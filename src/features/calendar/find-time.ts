import type { Platform } from '../../platform/platform.ts'
import type { AcceptedShare } from '../sharing/repository.ts'
import type { Calendar, Habits } from './calendar.ts'
import { findEvent } from './event-repository.ts'
import {
  freeTime,
  intersectRanges,
  isWithin,
  joinRanges,
  suggestSlots,
  type TimeRange,
  toBusyRange,
  toSlot,
  widenByBuffers,
  workingTime,
} from './free-time.ts'
import type { CalendarAccess } from './members/access.ts'
import { toMemberRow } from './members/redaction.ts'
import { isSameAddress, reaches, readAttendees } from './people.ts'
import type { FindTimeInput, FoundTimes } from './schema.ts'
import { streamWindow } from './windows/window.ts'

/** A person whose working hours and busy times are known. */
interface KnownPerson {
  working: TimeRange[]
  busy: TimeRange[]
}

const toTimes = ({ working, busy }: KnownPerson) => ({
  working: working.map(toSlot),
  busy: joinRanges(busy).map(toSlot),
})

export type FindTime = ReturnType<typeof createFindTime>

/**
 * Finds times when an account and the attendees are free. Of others, only the busy times of the calendars that they
 * share with the account are known.
 */
export const createFindTime = ({
  db,
  clock,
  calendar,
  habitsOf,
  access,
  ownAddresses,
}: Pick<Platform, 'db' | 'clock'> & {
  calendar: Pick<Calendar, 'readPeriod' | 'busyBetween'>
  habitsOf: (userId: number) => Promise<Habits>
  access: CalendarAccess
  ownAddresses: (userId: number) => Promise<ReadonlySet<string>>
}) => {
  const readWorkingTime = async (userId: number, period: TimeRange): Promise<TimeRange[]> => {
    const { workingHours, timezone } = await habitsOf(userId)
    return [...workingTime(workingHours, timezone, period)]
  }

  /** Leaves out `uid`, the event that is planned, where the member may read events. */
  const listSharedBusy = async (
    { ownerId, resourceId, role }: AcceptedShare,
    { from, until, uid }: { from: string; until: string; uid: string | undefined },
  ): Promise<TimeRange[]> => {
    const busy: TimeRange[] = []
    const window = {
      ...widenByBuffers({ from, until }),
      among: 'busy',
      calendarId: resourceId,
      as: 'member',
    } as const
    for await (const row of streamWindow(db, ownerId, window)) {
      const isPlanned = role !== 'freeBusy' && row.seriesId === null && toMemberRow(row).uid === uid
      if (!isPlanned) busy.push(toBusyRange(row))
    }
    return busy.filter(isWithin({ from, until }))
  }

  return async (
    userId: number,
    { attendees, eventId, minutes = 30, limit = 10, ...period }: FindTimeInput,
  ): Promise<FoundTimes> => {
    const { from, until, timezone } = await calendar.readPeriod(userId, period)
    const range = { from: Date.parse(from), until: Date.parse(until) }
    const planned = eventId === undefined ? undefined : await findEvent(db, userId, eventId)
    const shares = await access.accepted(db, userId)
    const own = await ownAddresses(userId)
    const others = readAttendees(attendees).filter(
      ({ email }) => ![...own].some((address) => reaches(email, address)),
    )
    const self: KnownPerson = {
      working: await readWorkingTime(userId, range),
      busy: await calendar.busyBetween(userId, from, until, { exceptId: planned?.id }),
    }
    const known: KnownPerson[] = [self]
    const people: FoundTimes['people'] = []
    for (const { email } of others) {
      const theirs = shares.filter(({ ownerEmail }) => isSameAddress(ownerEmail, email))
      const [first] = theirs
      if (!first) {
        people.push({ email, known: false, working: [], busy: [] })
        continue
      }
      const busy = await Promise.all(
        theirs.map((share) => listSharedBusy(share, { from, until, uid: planned?.uid })),
      )
      const person = { working: await readWorkingTime(first.ownerId, range), busy: busy.flat() }
      known.push(person)
      people.push({ email, known: true, ...toTimes(person) })
    }
    const ahead = [{ from: clock.now().getTime(), until: range.until }]
    const open = known.map(({ working }) => working).reduce(intersectRanges, ahead)
    const taken = joinRanges(known.flatMap(({ busy }) => busy))
    const slots = suggestSlots(freeTime(open, taken, { minutes, buffer: 0 }), minutes)
    return {
      timezone,
      start: from,
      end: until,
      own: toTimes(self),
      people,
      slots: slots.take(limit).map(toSlot).toArray(),
    }
  }
}
