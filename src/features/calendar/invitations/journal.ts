import type { Static } from 'typebox'
import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { Actions } from '../../undo/journal.ts'
import { ANSWERS, type Attendee, type EventFields, type EventRecord } from '../event.ts'
import { findEvent, lockByUid, lockEvent } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import type { FoundEvent } from '../ical/entry.ts'
import {
  Changed,
  changedReferences,
  changesBetween,
  createRestoration,
  readFamilies,
} from '../imports/journal.ts'
import { isSameAddress } from '../people.ts'
import type { Targets } from './update-decision.ts'

const RESPONSE_KIND = 'calendar.from_email'
const ResponsePayload = Type.Object({ id: Type.Integer(), version: Type.Integer() })

export type FoundJournal = ReturnType<typeof createFoundJournal>

/** Records events that were created from the text of an email. Each can be undone until the event changes. */
export const createFoundJournal = ({ actions, saving }: { actions: Actions; saving: Saving }) => {
  actions.define({
    kind: RESPONSE_KIND,
    payload: ResponsePayload,
    references: { id: 'events' },
    async undo(tx, { id, version }, _parts, userId) {
      if (!(await findEvent(tx, userId, id))) throw conflict('The event has been deleted since.')
      const event = await lockEvent(tx, userId, id)
      if (event.version !== version) throw conflict(`The event “${event.title}” has been changed since.`)
      await saving.remove(tx, event)
    },
  })
  return {
    record: (tx: Db, { userId, id, version, title }: EventRecord): Promise<number> =>
      actions.record(tx, {
        userId,
        kind: RESPONSE_KIND,
        summary: `Added “${title.slice(0, 200)}” to the calendar`,
        payload: { id, version },
      }),
  }
}

const UPDATE_KIND = 'calendar.updated_by_mail'

const Status = Type.Enum([...ANSWERS], { type: 'string' })
/** The reply of one attendee. Other attendees may reply before it is undone. */
const Reply = Type.Object({
  uid: Type.String(),
  recurrenceId: Type.Union([Type.String(), Type.Null()]),
  email: Type.String(),
  before: Status,
  after: Status,
})
const UpdatePayload = Type.Object({
  emailId: Type.Integer(),
  /** One digest for each applied revision, to recognize another copy of the same email. */
  revisions: Type.Array(Type.String()),
  events: Type.Array(Changed),
  reply: Type.Union([Reply, Type.Null()]),
})
type UpdatePayload = Static<typeof UpdatePayload>
export type RecordedReply = Static<typeof Reply>

const revisionOf = ({ method, entry, stampedAt }: FoundEvent): string => {
  const { uid, recurrenceId, sequence, revisedAt } = entry
  const replies = method === 'REPLY' ? entry.attendees.map(({ email, status }) => [email, status]) : []
  return digest(JSON.stringify([method, uid, recurrenceId, sequence, revisedAt, stampedAt, replies]))
}

/** The change that an email made. */
interface EmailChange {
  actionId: number
  isUndone: boolean
  /** Returns the values of an event before the change. Undefined if it did not exist. */
  findBefore(entry: { uid: string; recurrenceId: string | null }): EventFields | undefined
}

export type UpdateJournal = ReturnType<typeof createUpdateJournal>

/** Records changes that email made to events automatically. Each can be undone. */
export const createUpdateJournal = (deps: { actions: Actions; saving: Saving; targets: Targets }) => {
  const { actions, targets } = deps
  const restore = createRestoration(deps.saving)

  const undoReply = async (tx: Db, userId: number, reply: RecordedReply): Promise<void> => {
    const rows = await lockByUid(tx, userId, [reply.uid])
    const target = await targets.find(tx, rows, reply.recurrenceId)
    const isTheirs = ({ email }: Attendee): boolean => isSameAddress(email, reply.email)
    if (target?.fields.attendees.find(isTheirs)?.status !== reply.after)
      throw conflict(`The reply of ${reply.email} has been changed since.`)
    const attendees = target.fields.attendees.map((one) =>
      isTheirs(one) ? { ...one, status: reply.before } : one,
    )
    await targets.change(tx, target, { attendees })
  }

  const updates = actions.define({
    kind: UPDATE_KIND,
    payload: UpdatePayload,
    subjects: ({ emailId, revisions }) => [
      { kind: 'email', id: emailId },
      ...revisions.map((id) => ({ kind: 'revision' as const, id })),
    ],
    references: { emailId: 'emails', ...changedReferences('events') },
    async undo(tx, { events, reply }, _parts, userId) {
      try {
        await restore(tx, userId, events)
      } catch (error) {
        // Nothing was written yet: `restore` detects a changed event before its first write.
        if (!reply || !(error instanceof AppError) || error.kind !== 'conflict') throw error
        await undoReply(tx, userId, reply)
      }
    },
  })

  return {
    /** Runs `work` and records its changes. Returns undefined if nothing changed. */
    async record<T>(
      tx: Db,
      userId: number,
      { emailId, components }: { emailId: number; components: readonly FoundEvent[] },
      work: () => Promise<T>,
      describe: (change: {
        before: ReadonlyMap<string, EventRecord>
        after: ReadonlyMap<string, EventRecord>
      }) => { summary: string; reply: RecordedReply | null } | undefined,
    ): Promise<number | undefined> {
      const uids = [...new Set(components.map(({ entry }) => entry.uid))]
      const before = await readFamilies(tx, userId, uids)
      await work()
      const after = await readFamilies(tx, userId, uids)
      const events = changesBetween(before, after)
      const described = events.length === 0 ? undefined : describe({ before, after })
      if (!described) return undefined
      const { summary, reply } = described
      const payload: UpdatePayload = { emailId, revisions: components.map(revisionOf), events, reply }
      return actions.record(tx, { userId, kind: UPDATE_KIND, summary, payload })
    },

    /**
     * Whether one of these revisions was applied and undone. Another copy of the email must not apply it
     * again.
     */
    async wasUndone(view: Db, userId: number, components: readonly FoundEvent[]): Promise<boolean> {
      for (const revision of components.map(revisionOf))
        for (const { isUndone } of await updates.find(view, userId, { kind: 'revision', id: revision }))
          if (isUndone) return true
      return false
    },

    /** Finds the change that an email made. */
    async findOfEmail(view: Db, userId: number, emailId: number): Promise<EmailChange | undefined> {
      const [found] = await updates.find(view, userId, { kind: 'email', id: emailId })
      if (!found) return undefined
      const { events } = found.payload
      return {
        actionId: found.id,
        isUndone: found.isUndone,
        findBefore({ uid, recurrenceId }) {
          const ofEvent = events.filter((event) => event.uid === uid)
          const same = ofEvent.find((event) => event.recurrenceId === (recurrenceId ?? ''))
          return (same ?? ofEvent[0])?.before?.fields
        },
      }
    },
  }
}
