import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Actions } from '../../actions/actions.ts'
import type { EventRecord } from '../event.ts'
import { deleteEvent, findEvent, lockEvent } from '../event-store.ts'
import type { Saving } from '../saving.ts'

const KIND = 'calendar.from_email'
const Payload = Type.Object({ id: Type.Integer(), version: Type.Integer() })

export type FoundJournal = ReturnType<typeof createFoundJournal>

/** What was put into the calendar because a mail said so can be taken back, as long as nobody has touched it. */
export const createFoundJournal = ({ actions, saving }: { actions: Actions; saving: Saving }) => {
  actions.define({
    kind: KIND,
    payload: Payload,
    async undo(tx, { id, version }) {
      if (!(await findEvent(tx, id))) throw conflict('The event has been removed since.')
      const event = await lockEvent(tx, id)
      if (event.version !== version) throw conflict(`The event “${event.title}” has been changed since.`)
      await deleteEvent(tx, id)
      await saving.removed(tx, event)
    },
  })
  return {
    record: (tx: Db, { id, version, title }: EventRecord): Promise<number> =>
      actions.record(tx, {
        kind: KIND,
        summary: `Put “${title.slice(0, 200)}” into the calendar`,
        payload: { id, version },
      }),
  }
}
