import { DAY } from '../../src/recurrence/days.ts'
import { expandRule } from '../../src/recurrence/expansion.ts'
import { readRule } from '../../src/recurrence/rule.ts'
import type { Fields, Item, Kind, State } from './world.ts'

/* Compares the changes of a turn with the expected ones. */

export interface Stored {
  created?: Partial<Record<Kind, Fields[]>>
  changed?: Record<string, Fields>
  deleted?: string[]
  done?: string[]
  declined?: string[]
  archived?: string[]
  snoozed?: Record<string, string>
}

interface Created extends Item {
  change: 'created'
}
interface Touched {
  change: 'deleted' | 'done' | 'declined' | 'archived' | 'snoozed' | 'changed'
  /** Kind and id, with the day of an occurrence behind an `@`. */
  reference: string
  fields: Fields
  before: Fields
}
export type Change = Created | Touched

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const differing = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(value, before[name])))

const lengthOf = ({ start, end }: Fields): number => Date.parse(`${end}`) - Date.parse(`${start}`)

/** What differs in an occurrence from its series. */
const exceptionOf = (series: Fields, day: string, occurrence: Fields): Fields => {
  const regular = `${day}${(series.start as string).slice(10)}`
  return {
    ...differing(series, { ...occurrence, start: series.start, end: series.end }),
    ...((occurrence.start !== regular || lengthOf(occurrence) !== lengthOf(series)) && {
      start: occurrence.start,
      end: occurrence.end,
    }),
  }
}

const compareDays = (reference: string, before: Fields, after: Fields): Touched[] => {
  const [old, now] = [before.days, after.days] as [Record<string, Fields>, Record<string, Fields>]
  const isSameRule = same(before.recurrence, after.recurrence) && same(before.start, after.start)
  const changes: Touched[] = []
  for (const [day, occurrence] of Object.entries(old)) {
    const left = now[day]
    const about = { reference: `${reference}@${day}`, before: occurrence }
    if (left === undefined) {
      if (isSameRule) changes.push({ change: 'deleted', fields: {}, ...about })
      continue
    }
    const [was, is] = [exceptionOf(before, day, occurrence), exceptionOf(after, day, left)]
    if (!same(was, is)) changes.push({ change: 'changed', fields: differing(occurrence, left), ...about })
  }
  return changes
}

/** Returns what differs between two states. */
export const compareStates = (before: State, after: State): Change[] => {
  const changes: Change[] = []
  for (const [reference, { kind, fields }] of after) {
    const old = before.get(reference)?.fields
    if (old === undefined) {
      changes.push({ change: 'created', kind, fields })
      continue
    }
    const { days: _, ...rest } = differing(old, fields)
    if (fields.days && old.days) changes.push(...compareDays(reference, old, fields))
    const about = { reference, before: old, fields: rest }
    const isNextTask =
      old.recurrence &&
      fields.recurrence &&
      rest.due &&
      Object.keys(rest).every((name) => ['due', 'remindAt'].includes(name))
    if (rest.status === 'done') changes.push({ change: 'done', ...about })
    else if (rest.folder === 'archive') changes.push({ change: 'archived', ...about })
    else if (rest.folder === 'trash') changes.push({ change: 'deleted', ...about })
    else if (rest.snoozed) changes.push({ change: 'snoozed', ...about })
    else if (Object.keys(rest).length > 0) changes.push({ change: isNextTask ? 'done' : 'changed', ...about })
  }
  for (const [reference, { fields }] of before)
    if (!after.has(reference)) changes.push({ change: 'deleted', reference, fields: {}, before: fields })
  return changes
}

const plain = (text: unknown): string =>
  `${text ?? ''}`
    .toLowerCase()
    .replace(/^(?:the|a|an|der|die|das|den|dem|ein|eine|einen|einem) /u, '')
    .replace(/^["'„“]+|["'“”.!]+$/gu, '')
    .trim()

const GERMAN_SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bMo\.,/g, 'Montag,'],
  [/\bDi\.,/g, 'Dienstag,'],
  [/\bMi\.,/g, 'Mittwoch,'],
  [/\bDo\.,/g, 'Donnerstag,'],
  [/\bFr\.,/g, 'Freitag,'],
  [/\bSa\.,/g, 'Samstag,'],
  [/\bSo\.,/g, 'Sonntag,'],
  [/\bNov\. /g, 'November '],
  [/\bDez\. /g, 'Dezember '],
  [/\bJan\. /g, 'Januar '],
  [/\bFeb\. /g, 'Februar '],
]

/** German dates are written short. */
const spellOut = (text: string): string =>
  GERMAN_SHORT.reduce((left, [short, long]) => left.replace(short, long), text)

export const contains = (text: string, alternatives: string): boolean =>
  alternatives
    .split('|')
    .some((one) => [text, spellOut(text)].some((form) => form.toLowerCase().includes(one.toLowerCase())))

const DAYS_TO_COMPARE = 400

/** The days of a rule in the next months, without its end. */
const daysOf = (rule: string, start: string): string => {
  const read = readRule(rule.replace(/;(?:UNTIL|COUNT)=[^;]*/g, '').replace(/^(?:UNTIL|COUNT)=[^;]*;/, ''))
  if ('fault' in read) return read.fault
  const first = Date.parse(`${start.slice(0, 10)}T00:00Z`)
  const days: number[] = []
  for (const wall of expandRule(read.rule, first)) {
    if (wall > first + DAYS_TO_COMPARE * DAY) break
    days.push(wall)
  }
  return days.join()
}

const isSameRule = (wanted: string, actual: unknown, start: string): boolean =>
  typeof actual === 'string' && (wanted === actual || daysOf(wanted, start) === daysOf(actual, start))

/** Guests are compared by their addresses. */
const isSameList = (wanted: (string | { email: string })[], actual: unknown): boolean =>
  Array.isArray(actual) &&
  same(wanted.map((one) => (typeof one === 'string' ? one : one.email)).sort(), [...actual].sort())

const REAL_LISTS = ['attendees', 'tags', 'to', 'cc']
const DEFAULTS: Fields = { priority: 'normal', status: 'todo', location: '', attendees: [], tags: [], cc: [] }

const fits = (name: string, wanted: unknown, fields: Fields): boolean => {
  const actual = fields[name]
  if (name === 'text') return [wanted as string | string[]].flat().every((one) => contains(`${actual}`, one))
  if (REAL_LISTS.includes(name)) return isSameList(wanted as string[], actual)
  if (Array.isArray(wanted)) return wanted.some((one) => fits(name, one, fields))
  if (wanted === null || wanted === '') return (actual ?? '') === ''
  if (name === 'recurrence') return isSameRule(`${wanted}`, actual, `${fields.start ?? fields.due}`)
  if (['remindAt', 'snoozed'].includes(name) && `${wanted}`.length === 10)
    return `${actual ?? ''}`.startsWith(`${wanted}`)
  if (['title', 'location', 'list', 'name'].includes(name)) return plain(actual) === plain(wanted)
  if (name === 'phone') return `${actual ?? ''}`.replace(/\D/g, '') === `${wanted}`.replace(/\D/g, '')
  return same(wanted, actual)
}

const HOUR_MS = 3_600_000

/** The start of working hours, when a task of a day reminds. */
const isDefaultReminder = ({ due, remindAt }: Fields): boolean =>
  remindAt === due || (`${due}`.length === 10 && `${remindAt}`.startsWith(`${due}T0`))

/** True if a field that the expectation does not name has its default. */
const isDefault = (name: string, kind: Kind, fields: Fields): boolean => {
  if (kind === 'contacts' || kind === 'drafts' || name === 'emailId' || name === 'days') return true
  // A restored event returns to its own calendar.
  if (name === 'calendar') return true
  if (name === 'remindAt' && isDefaultReminder(fields)) return true
  if (name === 'end') return `${fields.end}`.length === 10 || lengthOf(fields) === HOUR_MS
  return same(fields[name], DEFAULTS[name])
}

const isCreated = (kind: Kind, wanted: Fields, change: Change): boolean =>
  change.change === 'created' &&
  change.kind === kind &&
  Object.entries(wanted).every(([name, value]) => fits(name, value, change.fields)) &&
  Object.keys(change.fields).every((name) => name in wanted || isDefault(name, kind, change.fields))

/** A reminder that moves with the due time, and an end that moves with the start, need not be named. */
const follows = (name: string, { fields, before }: Touched): boolean =>
  name === 'days' ||
  (name === 'remindAt' && 'due' in fields) ||
  (name === 'end' && 'start' in fields && lengthOf({ ...before, ...fields }) === lengthOf(before)) ||
  name === 'emailId'

const isChanged = (wanted: Fields, change: Touched): boolean =>
  Object.entries(wanted).every(([name, value]) =>
    fits(name, value, { ...change.before, ...change.fields }),
  ) && Object.keys(change.fields).every((name) => name in wanted || follows(name, change))

/** True if exactly the expected changes were made. `resolve` returns the reference of a key. */
export const isStored = (
  stored: Stored,
  changes: readonly Change[],
  resolve: (key: string) => string | undefined,
): boolean => {
  const left = [...changes]
  const take = (isRight: (change: Change) => boolean): boolean => {
    const at = left.findIndex(isRight)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  const touches = (kind: Touched['change'], key: string, isRight = (_: Touched): boolean => true): boolean =>
    take(
      (change) => change.change === kind && change.reference === resolve(key) && isRight(change as Touched),
    )
  /** A bill is done if a task of its mail is. */
  const isBillDone = (key: string): boolean => {
    const [kind, id] = resolve(key)?.split(':') ?? []
    return (
      kind === 'bills' &&
      take(
        (change) =>
          (change.change === 'created' ? change.fields.status === 'done' : change.change === 'done') &&
          ('before' in change ? change.before : change.fields).emailId === Number(id),
      )
    )
  }
  const created = Object.entries(stored.created ?? {}) as [Kind, Fields[]][]
  return (
    created.every(([kind, all]) =>
      all.every((wanted) => take((change) => isCreated(kind, wanted, change))),
    ) &&
    Object.entries(stored.changed ?? {}).every(([key, wanted]) => {
      // A change of the first occurrence is a change of the series on that day.
      return (
        touches('changed', key, (change) => isChanged(wanted, change)) ||
        (wanted.status === 'paid' && isBillDone(key))
      )
    }) &&
    (stored.deleted ?? []).every((key) => touches('deleted', key)) &&
    (stored.done ?? []).every((key) => touches('done', key) || isBillDone(key)) &&
    (stored.declined ?? []).every((key) => touches('declined', key)) &&
    (stored.archived ?? []).every((key) => touches('archived', key)) &&
    Object.entries(stored.snoozed ?? {}).every(([key, until]) =>
      touches('snoozed', key, ({ fields }) => fits('snoozed', until, fields)),
    ) &&
    left.length === 0
  )
}
