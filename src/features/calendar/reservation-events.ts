import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { Actions } from '../undo/journal.ts'
import { BLANK, type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { listByUid, lockByUid } from './event-repository.ts'
import type { Saving } from './event-writer.ts'
import { keyByName, nameOf } from './ical/entry.ts'
import { Changed, changedReferences, changesBetween, createRestoration } from './imports/journal.ts'

const KIND = 'calendar.from_reservation'

/** The fields of an event that follow its reservation. The others belong to the user. */
export type ReservationEventFields = Pick<
  EventFields,
  | 'uid'
  | 'title'
  | 'description'
  | 'location'
  | 'start'
  | 'end'
  | 'allDay'
  | 'timezone'
  | 'status'
  | 'busy'
  | 'emailId'
>

export type ReservationEvent = ReservationEventFields & { id: number }

export type ReservationEvents = ReturnType<typeof createReservationEvents>

const toEvent = (row: EventRecord): ReservationEvent => ({ ...fieldsOf(row), id: row.id })

/** Keeps flights, stays and other reservations from email as events. Each call can be undone. */
export const createReservationEvents = ({ actions, saving }: { actions: Actions; saving: Saving }) => {
  const restore = createRestoration(saving)

  actions.define({
    kind: KIND,
    payload: Type.Object({ events: Type.Array(Changed) }),
    references: changedReferences('events'),
    undo: (tx, { events }, _parts, userId) => restore(tx, userId, events),
  })

  return {
    /** Finds the events of reservations by UID. */
    async find(view: Db, userId: number, uids: readonly string[]): Promise<ReservationEvent[]> {
      return uids.length === 0 ? [] : (await listByUid(view, userId, uids)).map(toEvent)
    },

    /** Creates missing events and updates the others. Returns the ids in the order of `wanted`. */
    async save(
      tx: Db,
      userId: number,
      wanted: readonly ReservationEventFields[],
      tags: readonly string[],
    ): Promise<{ ids: number[]; actionId: number | null }> {
      if (wanted.length === 0) return { ids: [], actionId: null }
      const uids = wanted.map(({ uid }) => uid)
      const before = keyByName(await lockByUid(tx, userId, uids))
      const ids: number[] = []
      for (const fields of wanted) {
        const row = before.get(nameOf({ uid: fields.uid, recurrenceId: null }))
        if (row) await saving.update(tx, row, { ...fieldsOf(row), ...fields })
        ids.push(
          row?.id ??
            (await saving.insert(tx, userId, { ...BLANK, ...fields, tags: [...tags], source: 'email' })),
        )
      }
      const events = changesBetween(before, keyByName(await listByUid(tx, userId, uids)))
      if (events.length === 0) return { ids, actionId: null }
      const [first] = wanted
      const others = events.length === 1 ? '' : ` and ${events.length - 1} more`
      const isUpdate = events.every((event) => event.before !== null)
      const name = `“${(first as ReservationEventFields).title.slice(0, 200)}”${others}`
      const summary = isUpdate ? `Updated ${name} in the calendar` : `Added ${name} to the calendar`
      return { ids, actionId: await actions.record(tx, { userId, kind: KIND, summary, payload: { events } }) }
    },
  }
}
