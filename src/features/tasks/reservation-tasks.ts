import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { pick } from '../../platform/collections.ts'
import { conflict } from '../../platform/errors.ts'
import { fingerprint, hasFingerprint } from '../../platform/fingerprint.ts'
import type { Actions } from '../undo/journal.ts'
import { listBySource, lockTask, setHidden, type TaskRecord } from './repository.ts'
import type { Status } from './schema.ts'
import { fieldsOf, isOpen } from './task.ts'
import type { Origins, Tasks } from './tasks.ts'

const KIND = 'tasks.from_reservation'
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Before = Type.Object({
  title: Type.String(),
  notes: Type.String(),
  dueAt: TextOrNull,
  dueDay: TextOrNull,
  status: Type.String(),
  emailId: Type.Union([Type.Integer(), Type.Null()]),
})
const Payload = Type.Object({
  tasks: Type.Array(
    Type.Object({
      id: Type.Integer(),
      version: Type.Integer(),
      /** The content after the change. A later change that was undone leaves the same content. */
      print: Type.String(),
      before: Type.Union([Before, Type.Null()]),
    }),
  ),
})

/** A task for a parcel or an invoice. */
export interface ReservationTaskFields {
  key: string
  title: string
  notes: string
  dueDay: string | null
  /** The parcel was delivered, or the invoice paid or cancelled. */
  isDone: boolean
  emailId: number
}

export interface ReservationTask {
  id: number
  key: string
  dueDay: string | null
  isOpen: boolean
  emailId: number | null
}

export type ReservationTasks = ReturnType<typeof createReservationTasks>

const toTask = ({ id, sourceKey, dueDay, status, emailId }: TaskRecord): ReservationTask => ({
  id,
  key: sourceKey as string,
  dueDay,
  isOpen: isOpen(status as Status),
  emailId,
})

const contentOf = (row: TaskRecord) => {
  const { emailId: _, ...content } = fieldsOf(row)
  return content
}

type ChangedTask = Type.Static<typeof Payload>['tasks'][number]

/** Keeps parcels and invoices from email as tasks. Each call can be undone. */
export const createReservationTasks = (deps: {
  actions: Actions
  tasks: Tasks
  hasEmail: Origins['hasEmail']
}) => {
  const { actions, tasks, hasEmail } = deps
  actions.define({
    kind: KIND,
    payload: Payload,
    references: { 'tasks.*.id': 'tasks', 'tasks.*.before.emailId': 'emails' },
    async undo(tx, payload, _parts, userId) {
      for (const { id, version, print } of payload.tasks) {
        const task = await lockTask(tx, userId, id)
        if (!task) throw conflict('One of the tasks has been removed since.')
        if (task.version !== version && !hasFingerprint(contentOf(task), print))
          throw conflict(`The task “${task.title}” has been changed since.`)
      }
      for (const { id, before } of payload.tasks) {
        if (before === null) await tasks.remove(userId, id, undefined)
        else {
          const { dueAt, dueDay, status, emailId, title, notes } = before
          const due = dueDay === null ? { dueAt } : { dueDay }
          const hasMail = emailId !== null && (await hasEmail(tx, userId, emailId))
          const change = { title, notes, ...due, status: status as Status, ...(hasMail && { emailId }) }
          await tasks.change(userId, id, change, undefined)
        }
      }
    },
  })

  const describe = async (
    tx: Db,
    userId: number,
    { id, version }: { id: number; version: number },
    before: ChangedTask['before'],
  ): Promise<ChangedTask> => ({
    id,
    version,
    print: fingerprint(contentOf((await lockTask(tx, userId, id)) as TaskRecord)),
    before,
  })

  const update = async (tx: Db, userId: number, row: TaskRecord, fields: ReservationTaskFields) => {
    const { title, notes, dueDay, isDone, emailId } = fields
    const change = {
      title,
      notes,
      emailId,
      ...(dueDay !== null && { dueDay }),
      ...(isDone && isOpen(row.status as Status) && { status: 'done' as const }),
    }
    const before = pick(row, ['title', 'notes', 'dueAt', 'dueDay', 'status', 'emailId'])
    return describe(tx, userId, await tasks.change(userId, row.id, change, undefined), before)
  }

  return {
    /** Finds the tasks of parcels and invoices by key. */
    async find(view: Db, userId: number, keys: readonly string[]): Promise<ReservationTask[]> {
      return keys.length === 0 ? [] : (await listBySource(view, userId, keys)).map(toTask)
    },

    /** Creates missing tasks and updates the others. Returns the ids in the order of `wanted`. */
    async save(
      tx: Db,
      userId: number,
      wanted: readonly ReservationTaskFields[],
      tags: readonly string[],
    ): Promise<{ ids: number[]; actionId: number | null }> {
      if (wanted.length === 0) return { ids: [], actionId: null }
      const rows = await listBySource(
        tx,
        userId,
        wanted.map(({ key }) => key),
      )
      const known = new Map(rows.map((row) => [row.sourceKey, row]))
      const changed: ChangedTask[] = []
      const ids: number[] = []
      for (const fields of wanted) {
        const row = known.get(fields.key)
        if (row) changed.push(await update(tx, userId, row, fields))
        else {
          const { title, notes, dueDay, emailId, key } = fields
          const task = await tasks.create(userId, { title, notes, dueDay, emailId, tags: [...tags] })
          await setHidden(tx, userId, task.id, { sourceKey: key })
          changed.push(await describe(tx, userId, task, null))
        }
        ids.push((changed.at(-1) as { id: number }).id)
      }
      const [first] = wanted
      const summary = `${rows.length === 0 ? 'Created' : 'Updated'} the task “${(first as ReservationTaskFields).title.slice(0, 200)}”`
      const payload = { tasks: changed }
      return { ids, actionId: await actions.record(tx, { userId, kind: KIND, summary, payload }) }
    },
  }
}
