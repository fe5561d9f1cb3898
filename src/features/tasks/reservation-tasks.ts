import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { conflict } from '../../platform/errors.ts'
import type { Actions } from '../undo/journal.ts'
import { listBySource, lockTask, setSource, type TaskRecord } from './repository.ts'
import type { Status } from './schema.ts'
import { isOpen } from './task.ts'
import type { Tasks } from './tasks.ts'

const KIND = 'tasks.from_reservation'
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Before = Type.Object({
  title: Type.String(),
  notes: Type.String(),
  dueAt: TextOrNull,
  dueDay: TextOrNull,
  status: Type.String(),
})
const Payload = Type.Object({
  tasks: Type.Array(
    Type.Object({ id: Type.Integer(), version: Type.Integer(), before: Type.Union([Before, Type.Null()]) }),
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

/** Keeps parcels and invoices from email as tasks. Each call can be undone. */
export const createReservationTasks = ({ actions, tasks }: { actions: Actions; tasks: Tasks }) => {
  actions.define({
    kind: KIND,
    payload: Payload,
    references: { 'tasks.*.id': 'tasks' },
    async undo(tx, payload, _parts, userId) {
      for (const { id, version } of payload.tasks) {
        const task = await lockTask(tx, userId, id)
        if (!task) throw conflict('One of the tasks has been removed since.')
        if (task.version !== version) throw conflict(`The task “${task.title}” has been changed since.`)
      }
      for (const { id, before } of payload.tasks) {
        if (before === null) await tasks.remove(userId, id, undefined)
        else {
          const { dueAt, dueDay, status, ...texts } = before
          const due = dueDay === null ? { dueAt } : { dueDay }
          await tasks.change(userId, id, { ...texts, ...due, status: status as Status }, undefined)
        }
      }
    },
  })

  const update = async (userId: number, row: TaskRecord, fields: ReservationTaskFields) => {
    const { title, notes, dueDay, isDone, emailId } = fields
    const { id, dueAt, status } = row
    const before = { title: row.title, notes: row.notes, dueAt, dueDay: row.dueDay, status }
    const isCompleted = isDone && isOpen(status as Status)
    const task = await tasks.change(
      userId,
      id,
      {
        title,
        notes,
        emailId,
        ...(dueDay !== null && { dueDay }),
        ...(isCompleted && { status: 'done' as const }),
      },
      undefined,
    )
    return { id, version: task.version, before }
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
      const changed: { id: number; version: number; before: Type.Static<typeof Before> | null }[] = []
      const ids: number[] = []
      for (const fields of wanted) {
        const row = known.get(fields.key)
        if (row) changed.push(await update(userId, row, fields))
        else {
          const { title, notes, dueDay, emailId, key } = fields
          const task = await tasks.create(userId, { title, notes, dueDay, emailId, tags: [...tags] })
          await setSource(tx, userId, task.id, key)
          changed.push({ id: task.id, version: task.version, before: null })
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
