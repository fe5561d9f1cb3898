import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import { choicesOf, readChoices } from './choices.ts'
import type { Delivering } from './delivering.ts'
import { type DeliveryRecord, listWaiting, postponeDelivery } from './delivery-store.ts'
import type { Kind } from './kinds.ts'
import { type Due, dueOf } from './schedule.ts'
import { findPerson, listByIds } from './store.ts'
import type { Telling } from './telling.ts'

const TURNED_OFF = 'It was turned off before it was sent.'

export type Reschedule = ReturnType<typeof createRescheduling>

/** Puts what waits where it belongs by what holds now: other hours, another zone, another choice. */
export const createRescheduling =
  (deps: { clock: Clock; telling: Telling; delivering: Delivering }) =>
  async (tx: Db, userId: number): Promise<void> => {
    const waiting = await listWaiting(tx, userId)
    const person = waiting.length > 0 ? await findPerson(tx, userId) : undefined
    if (!person) return
    const now = deps.clock.now()
    const choices = choicesOf(readChoices(person.chosen))
    const rows = await listByIds(
      tx,
      waiting.map(({ notificationId }) => notificationId),
    )
    const kinds = new Map(rows.map(({ id, kind }) => [id, kind as Kind]))
    const moments = new Map<string, Due>()
    const unwanted: DeliveryRecord[] = []
    for (const delivery of waiting) {
      const { id, channel, notificationId } = delivery
      const kind = kinds.get(notificationId) as Kind
      const { email, webhook } = choices.kinds[kind]
      if (channel === 'email' ? email === 'off' : !webhook) {
        unwanted.push(delivery)
        continue
      }
      const due = dueOf({ kind, channel, choices, timezone: person.timezone }, now)
      const dueAt = due.at.toISOString()
      await postponeDelivery(tx, id, { dueAt, heldBy: due.heldBy })
      moments.set(dueAt, due)
    }
    await deps.delivering.giveUp(tx, unwanted, { state: 'failed', error: TURNED_OFF })
    for (const due of moments.values()) await deps.telling.awaitDue(tx, due)
  }
