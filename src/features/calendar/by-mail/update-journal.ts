import Type, { type Static } from 'typebox'
import type { Db } from '../../../database/db.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { digest } from '../../../platform/secrets/digest.ts'
import type { Actions } from '../../actions/actions.ts'
import { ANSWERS, type Attendee, type EventRecord } from '../event.ts'
import { listByUid, lockByUid } from '../event-store.ts'
import type { Told } from '../icalendar/entry.ts'
import { readExtra } from '../icalendar/extra.ts'
import { Changed, changesBetween, createRestoration } from '../imports/journal.ts'
import type { Saving, SavingDeps } from '../saving.ts'
import { isSameAddress } from './addresses.ts'
import type { Targets } from './targets.ts'

const KIND = 'calendar.updated_by_mail'

const Status = Type.Enum([...ANSWERS], { type: 'string' })
/** The reply of one attendee: others may reply between it and its undo. */
const Reply = Type.Object({
  uid: Type.String(),
  recurrenceId: Type.Union([Type.String(), Type.Null()]),
  email: Type.String(),
  before: Status,
  after: Status,
})
const Payload = Type.Object({
  emailId: Type.Integer(),
  /** One for each revision that was applied, so that another copy of the same mail is recognised. */
  revisions: Type.Array(Type.String()),
  events: Type.Array(Changed),
  reply: Type.Union([Reply, Type.Null()]),
})
type Payload = Static<typeof Payload>
export type RecordedReply = Static<typeof Reply>

const keyOf = ({ uid, recurrenceId }: EventRecord): string => `${recurrenceId} ${uid}`

/** All events of these UIDs, and the series in which one of them continues. */
const readFamilies = async (tx: Db, uids: readonly string[]): Promise<Map<string, EventRecord>> => {
  const rows = await listByUid(tx, uids)
  const continued = rows.flatMap(({ extra }) => readExtra(extra).continued ?? [])
  const others = continued.filter((uid) => !uids.includes(uid))
  if (others.length > 0) rows.push(...(await listByUid(tx, others)))
  return new Map(rows.map((row) => [keyOf(row), row]))
}

const revisionOf = ({ method, entry, stampedAt }: Told): string => {
  const { uid, recurrenceId, sequence, revisedAt } = entry
  const replies = method === 'REPLY' ? entry.attendees.map(({ email, status }) => [email, status]) : []
  return digest(JSON.stringify([method, uid, recurrenceId, sequence, revisedAt, stampedAt, replies]))
}

export type UpdateJournal = ReturnType<typeof createUpdateJournal>

/** Changes that a mail made to events by itself. Each can be undone. */
export const createUpdateJournal = (deps: {
  actions: Actions
  saving: Saving
  targets: Targets
  hasEmail: SavingDeps['hasEmail']
}) => {
  const { actions, targets, hasEmail } = deps
  const restore = createRestoration(deps.saving)

  const emailOf = async (tx: Db, _row: EventRecord | undefined, former: number | null) =>
    former !== null && (await hasEmail(tx, former)) ? former : null

  const undoReply = async (tx: Db, reply: RecordedReply): Promise<void> => {
    const rows = await lockByUid(tx, [reply.uid])
    const target = await targets.find(tx, rows, reply.recurrenceId)
    const isTheirs = ({ email }: Attendee): boolean => isSameAddress(email, reply.email)
    if (target?.fields.attendees.find(isTheirs)?.status !== reply.after)
      throw conflict(`The reply of ${reply.email} has been changed since.`)
    const attendees = target.fields.attendees.map((one) =>
      isTheirs(one) ? { ...one, status: reply.before } : one,
    )
    await targets.change(tx, target, { attendees })
  }

  const undoAll = async (tx: Db, events: readonly Changed[]): Promise<void> => {
    const families = Map.groupBy(events, ({ uid }) => uid)
    const present = Map.groupBy(await lockByUid(tx, [...families.keys()]), ({ uid }) => uid)
    for (const [uid, changed] of families) await restore(tx, changed, present.get(uid) ?? [], emailOf)
  }

  actions.define({
    kind: KIND,
    payload: Payload,
    async undo(tx, { events, reply }) {
      try {
        await undoAll(tx, events)
      } catch (error) {
        // Nothing was written yet: a changed event is found before the first write.
        if (!reply || !(error instanceof AppError) || error.kind !== 'conflict') throw error
        await undoReply(tx, reply)
      }
    },
  })

  return {
    /** Runs `work` and records what it changed; undefined when nothing changed. */
    async record<T>(
      tx: Db,
      { emailId, told }: { emailId: number; told: readonly Told[] },
      work: () => Promise<T>,
      describe: (change: {
        before: ReadonlyMap<string, EventRecord>
        after: ReadonlyMap<string, EventRecord>
      }) => { summary: string; reply: RecordedReply | null } | undefined,
    ): Promise<number | undefined> {
      const uids = [...new Set(told.map(({ entry }) => entry.uid))]
      const before = await readFamilies(tx, uids)
      await work()
      const after = await readFamilies(tx, uids)
      const events = changesBetween(before, after)
      const described = events.length === 0 ? undefined : describe({ before, after })
      if (!described) return undefined
      const { summary, reply } = described
      const payload: Payload = { emailId, revisions: told.map(revisionOf), events, reply }
      return actions.record(tx, { kind: KIND, summary, payload })
    },

    /** Whether one of these revisions was applied and undone: it does not come back by another copy of the mail. */
    async wasUndone(view: Db, told: readonly Told[]): Promise<boolean> {
      for (const revision of told.map(revisionOf))
        for (const { isUndone, payload } of await actions.find<Payload>(view, KIND, revision))
          if (isUndone && payload.revisions.includes(revision)) return true
      return false
    },

    /** The change that an e-mail made. */
    async findOfEmail(
      view: Db,
      emailId: number,
    ): Promise<{ actionId: number; isUndone: boolean } | undefined> {
      const [found] = await actions.find<Payload>(view, KIND, `"emailId":${emailId},"revisions":`)
      return found && { actionId: found.id, isUndone: found.isUndone }
    },
  }
}
