import Type, { type Static } from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Changes } from '../../../platform/changes.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Actions } from '../../actions/actions.ts'
import { nameIn } from '../by-mail/authority.ts'
import type { Targets } from '../by-mail/targets.ts'
import type { EventFields } from '../event.ts'
import { listByUid, lockByUid } from '../event-store.ts'
import type { Entry } from '../icalendar/entry.ts'
import type { Saving } from '../saving.ts'
import { Changed, changesBetween, createRestoration } from './journal.ts'

const KIND = 'calendar.conflict'

const Values = Type.Record(Type.String(), Type.Unknown())
const Payload = Type.Object({
  uid: Type.String(),
  /** Fields that were changed here and on the server: the value here, and the one that replaced it. */
  lost: Type.Array(
    Type.Object({
      recurrenceId: Type.Union([Type.String(), Type.Null()]),
      values: Values,
      replaced: Values,
    }),
  ),
  /** Events that were deleted here and came back because the server had changed them. */
  restored: Type.Array(Changed),
})
type Payload = Static<typeof Payload>

/** The fields of an entry that an event has as well. */
export type SharedField = keyof Entry & keyof EventFields

/** A change that was made here and that the server's version replaced. */
export interface LostChange {
  recurrenceId: string | null
  fields: readonly SharedField[]
  mine: Pick<Entry, SharedField>
}

export interface ConflictAccount {
  userId: number
  name: string
}

const LABELS: Partial<Record<SharedField, string>> = {
  title: 'Title',
  description: 'Description',
  location: 'Location',
  meetingUrl: 'Video link',
  status: 'Status',
  busy: 'Busy',
  reminders: 'Reminders',
  tags: 'Tags',
  organizer: 'Organizer',
  attendees: 'Guests',
  start: 'Start',
  end: 'End',
  allDay: 'All day',
  timezone: 'Time zone',
  recurrence: 'Recurrence',
  exdates: 'Recurrence',
  rdates: 'Recurrence',
}
const LONGEST = 60

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const shown = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? 'nothing' : `“${value.slice(0, LONGEST)}”`
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null ? 'nothing' : undefined
}

/** “Location: “Canteen” replaced “Room 5””; lists are only named. */
const describeField = (field: SharedField, mine: unknown, theirs: unknown): string => {
  const [label, here, there] = [LABELS[field] ?? field, shown(mine), shown(theirs)]
  return here === undefined || there === undefined
    ? `${label} replaced`
    : `${label}: ${there} replaced ${here}`
}

export type ConflictJournal = ReturnType<typeof createConflictJournal>

/** Changes that were made here and lost to the server's. The lost values are kept, and undo applies them again. */
export const createConflictJournal = (deps: {
  actions: Actions
  changes: Changes
  saving: Saving
  targets: Targets
}) => {
  const { actions, changes, targets } = deps
  const restore = createRestoration(deps.saving)

  actions.define({
    kind: KIND,
    payload: Payload,
    async undo(tx, { uid, lost, restored }) {
      const rows = await lockByUid(tx, [uid])
      for (const { recurrenceId, values, replaced } of lost) {
        const target = await targets.find(tx, rows, recurrenceId)
        if (!target) throw conflict('The event has been deleted since.')
        for (const [field, value] of Object.entries(replaced))
          if (!isSame(target.fields[field as SharedField], value))
            throw conflict(`${nameIn(target.fields)} has been changed since.`)
        await targets.change(tx, target, values as Partial<EventFields>, target.record.extra, null)
      }
      if (restored.length > 0) await restore(tx, restored, rows)
    },
  })

  return {
    /** Part of the transaction in which the server's version was taken over. */
    async record(
      tx: Db,
      account: ConflictAccount,
      uid: string,
      { lost, isDeletion }: { lost: readonly LostChange[]; isDeletion: boolean },
    ): Promise<void> {
      const rows = await listByUid(tx, [uid])
      const payload: Payload = {
        uid,
        lost: [],
        restored: isDeletion
          ? changesBetween(new Map(), new Map(rows.map((row) => [String(row.id), row])))
          : [],
      }
      const details = isDeletion ? ['Deleted here, changed on the server: kept'] : []
      for (const { recurrenceId, fields, mine } of lost) {
        const target = await targets.find(tx, rows, recurrenceId)
        const changed = target ? fields.filter((field) => !isSame(mine[field], target.fields[field])) : []
        if (!target || changed.length === 0) continue
        const pick = (from: Pick<Entry, SharedField>) =>
          Object.fromEntries(changed.map((field) => [field, from[field]]))
        // Times are applied together: the end of one version may lie before the start of the other.
        payload.lost.push({ recurrenceId, values: pick(mine), replaced: pick(target.fields) })
        details.push(
          ...new Set(changed.map((field) => describeField(field, mine[field], target.fields[field]))),
        )
      }
      const [first] = rows
      if (!first || details.length === 0) return
      const summary = `${account.name} replaced your changes to ${nameIn(first)}`.slice(0, 400)
      const actionId = await actions.record(tx, { kind: KIND, summary, payload })
      await changes.record(tx, {
        type: 'calendar_account.conflict',
        subject: String(account.userId),
        data: { account: account.name, title: first.title, start: first.start, details, actionId },
      })
    },
  }
}
