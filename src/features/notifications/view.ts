import type { DeliveryRecord } from './delivery-store.ts'
import type { Kind } from './kinds.ts'
import type { NotificationRecord } from './store.ts'

/** What is told of a notification wherever it is told. */
export const toldOf = (row: NotificationRecord) => ({
  id: row.id,
  kind: row.kind as Kind,
  title: row.title,
  body: row.body,
  link: row.link,
  createdAt: row.createdAt,
})

/** By which other ways it was told, or will be. */
const wayOf = (deliveries: readonly DeliveryRecord[], channel: DeliveryRecord['channel']) => {
  const found = deliveries.find((delivery) => delivery.channel === channel)
  if (!found) return null
  const { state, heldBy, dueAt, finishedAt, error } = found
  return { state: state === 'mailing' ? ('waiting' as const) : state, heldBy, dueAt, finishedAt, error }
}

export const viewOf = (row: NotificationRecord, deliveries: readonly DeliveryRecord[]) => {
  const own = deliveries.filter(({ notificationId }) => notificationId === row.id)
  return {
    ...toldOf(row),
    read: row.readAt !== null,
    readAt: row.readAt,
    actionId: row.actionId,
    email: wayOf(own, 'email'),
    webhook: wayOf(own, 'webhook'),
    version: row.version,
    shown: own.map(({ state }) => state).join('.') || null,
  }
}
