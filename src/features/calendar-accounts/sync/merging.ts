import type { Entry } from '../../calendar/icalendar/entry.ts'
import type { LostChange, SharedField } from '../../calendar/imports/conflict-journal.ts'

type Field = keyof Entry

const isShared = (field: Field): field is SharedField =>
  !['extra', 'recurrenceId', 'sequence', 'revisedAt'].includes(field)

/** These make sense together alone: the end of one version may lie before the start of the other. */
const TOGETHER: readonly (readonly Field[])[] = [
  ['start', 'end', 'allDay', 'timezone', 'recurrence', 'exdates', 'rdates'],
  ['organizer', 'attendees'],
]
const SINGLE: readonly Field[] = [
  ...(['title', 'description', 'location', 'meetingUrl', 'status', 'busy'] as const),
  ...(['reminders', 'tags', 'extra'] as const),
]
const GROUPS: readonly (readonly Field[])[] = [...TOGETHER, ...SINGLE.map((field) => [field])]

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

const agree = (a: Entry, b: Entry, fields: readonly Field[]): boolean =>
  fields.every((field) => isSame(a[field], b[field]))

const isSameEntry = (a: Entry, b: Entry): boolean => GROUPS.every((fields) => agree(a, b, fields))

const nameOf = ({ recurrenceId }: Entry): string => recurrenceId ?? ''
const byName = (entries: readonly Entry[]) => new Map(entries.map((entry) => [nameOf(entry), entry]))

/** Whether two tellings of one uid mean the same, whoever counted its revisions. */
export const areSame = (a: readonly Entry[], b: readonly Entry[]): boolean => {
  const others = byName(b)
  return (
    a.length === b.length &&
    a.every((entry) => {
      const other = others.get(nameOf(entry))
      return other !== undefined && isSameEntry(entry, other)
    })
  )
}

/** What was changed here stays where they have not changed the same. */
const mergeOne = (base: Entry, mine: Entry, theirs: Entry): Entry => {
  let merged = theirs
  for (const fields of GROUPS)
    if (!agree(mine, base, fields) && agree(theirs, base, fields))
      merged = { ...merged, ...Object.fromEntries(fields.map((field) => [field, mine[field]])) }
  return { ...merged, sequence: Math.max(mine.sequence, theirs.sequence) }
}

/** Fields that were changed here and on the server, differently: the server's stay. */
const lostFields = (base: Entry, mine: Entry, theirs: Entry): Field[] =>
  GROUPS.filter(
    (fields) => !agree(mine, base, fields) && !agree(theirs, base, fields) && !agree(mine, theirs, fields),
  ).flat()

/** Changes that were made here and that `mergeEntries` drops. What programs note beside an event is not counted. */
export const lostChanges = (
  base: readonly Entry[],
  mine: readonly Entry[],
  theirs: readonly Entry[],
): LostChange[] => {
  const [before, there] = [byName(base), byName(theirs)]
  return mine.flatMap((own) => {
    const [known, other] = [before.get(nameOf(own)), there.get(nameOf(own))]
    const fields = known && other ? lostFields(known, own, other).filter(isShared) : []
    return fields.length === 0 ? [] : { recurrenceId: own.recurrenceId, fields, mine: own }
  })
}

/**
 * What becomes of an event that was changed here and on the server since both last agreed: each side's changes, and
 * theirs where both changed the same. What one side deleted and the other changed stays.
 */
export const mergeEntries = (
  base: readonly Entry[],
  mine: readonly Entry[],
  theirs: readonly Entry[],
): Entry[] => {
  const [before, here, there] = [base, mine, theirs].map(byName) as [
    Map<string, Entry>,
    Map<string, Entry>,
    Map<string, Entry>,
  ]
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((name) => {
    const [known, own, other] = [before.get(name), here.get(name), there.get(name)]
    if (own && other) return [mergeOne(known ?? other, own, other)]
    const left = (own ?? other) as Entry
    return known && isSameEntry(known, left) ? [] : [left]
  })
}
