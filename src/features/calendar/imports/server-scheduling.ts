import type { Entry } from '../icalendar/entry.ts'
import { type PersonExtra, readExtra, writeExtra } from '../icalendar/extra.ts'

/*
 * RFC 6638: a server with implicit scheduling mails everybody who stands in an event without SCHEDULE-AGENT, or with
 * SCHEDULE-AGENT=SERVER. Where the parameter is added later, the server mails a cancellation (section 3.2.1.2).
 */

const CLIENT = 'SCHEDULE-AGENT=CLIENT'
/** These make a server send something, or report what it has sent. */
const SENDING = /^SCHEDULE-(?:AGENT=(?!CLIENT$|NONE$)|FORCE-SEND=|STATUS=)/i

/** Splits at semicolons outside of quotation marks. */
const splitParameters = (parameters: string): string[] => parameters.match(/(?:"[^"]*"|[^;"])+/g) ?? []

const withClientAgent = (parameters: string): string => {
  const kept = splitParameters(parameters).filter((parameter) => !SENDING.test(parameter))
  return (kept.some((parameter) => /^SCHEDULE-AGENT=/i.test(parameter)) ? kept : [...kept, CLIENT]).join(';')
}

/** A line of somebody without an e-mail address, which is kept as it came. */
const PERSON_LINE = /^(ATTENDEE|ORGANIZER)((?:;(?:"[^"]*"|[^":])*)?)(:.*)$/

const lineWithClientAgent = (line: string): string => {
  const [, name, parameters = '', value] = PERSON_LINE.exec(line) ?? []
  return name === undefined ? line : `${name};${withClientAgent(parameters.slice(1))}${value}`
}

const keyOf = (email: string): string => email.toLowerCase()

const keyPeople = (people: readonly PersonExtra[] = []): Map<string, PersonExtra> =>
  new Map(people.map((person) => [keyOf(person.email), person]))

/** How the server holds the people of an event. */
interface StoredPeople {
  attendees: Map<string, PersonExtra>
  organizer: PersonExtra | undefined
}

const readStoredPeople = ({ attendees, organizer, extra }: Entry): StoredPeople => {
  const read = readExtra(extra)
  const kept = keyPeople(read.people)
  return {
    attendees: keyPeople(attendees.map(({ email }) => kept.get(keyOf(email)) ?? { email, parameters: '' })),
    organizer: organizer ? { parameters: '', ...read.organizer, email: organizer.email } : undefined,
  }
}

export type StoredObject = ReturnType<typeof readStoredObject>

/** Looks people up in the object that a server holds: in the same occurrence, then the series, then anywhere. */
export const readStoredObject = (entries: readonly Entry[]) => {
  const occurrences = new Map(entries.map((entry) => [entry.recurrenceId, readStoredPeople(entry)]))
  const everybody: StoredPeople['attendees'] = new Map()
  for (const { attendees } of occurrences.values())
    for (const [key, person] of attendees) if (!everybody.has(key)) everybody.set(key, person)
  const lines = new Set(entries.flatMap((entry) => readExtra(entry.extra).lines ?? []))
  const near = (recurrenceId: string | null): StoredPeople[] =>
    [occurrences.get(recurrenceId), occurrences.get(null)].filter((one) => one !== undefined)
  return {
    hasLine: (line: string): boolean => lines.has(line),
    attendee: (recurrenceId: string | null, email: string): PersonExtra | undefined =>
      [...near(recurrenceId).map(({ attendees }) => attendees), everybody]
        .find((people) => people.has(keyOf(email)))
        ?.get(keyOf(email)),
    organizer: (recurrenceId: string | null, email: string): PersonExtra | undefined =>
      near(recurrenceId).find((one) => one.organizer && keyOf(one.organizer.email) === keyOf(email))
        ?.organizer,
  }
}

/**
 * The entry with the scheduling parameters that the server is to get: those of the stored object for everybody whom the
 * server knows. People who are new to the server get SCHEDULE-AGENT=CLIENT if `isClient`.
 */
export const withScheduling = (
  entry: Entry,
  { stored, isClient }: { stored: StoredObject; isClient: boolean },
): Entry => {
  const extra = readExtra(entry.extra)
  const kept = keyPeople(extra.people)
  const keptOrganizer = keyPeople(extra.organizer ? [extra.organizer] : [])
  const resolve = (email: string, known: PersonExtra | undefined, own: typeof kept): PersonExtra => {
    if (known) return { ...known, email }
    const person = { parameters: '', ...own.get(keyOf(email)), email }
    return isClient ? { ...person, parameters: withClientAgent(person.parameters) } : person
  }
  const { recurrenceId, organizer } = entry
  const people = entry.attendees.map(({ email }) =>
    resolve(email, stored.attendee(recurrenceId, email), kept),
  )
  const lines = extra.lines?.map((line) =>
    isClient && !stored.hasLine(line) ? lineWithClientAgent(line) : line,
  )
  return {
    ...entry,
    extra: writeExtra({
      ...extra,
      people,
      ...(organizer && {
        organizer: resolve(organizer.email, stored.organizer(recurrenceId, organizer.email), keptOrganizer),
      }),
      ...(lines && { lines }),
    }),
  }
}

/** Whether Factotum, or another client that schedules by itself, wrote this object. */
export const hasClientAgent = (body: string): boolean => body.replace(/\r?\n[ \t]/g, '').includes(CLIENT)
