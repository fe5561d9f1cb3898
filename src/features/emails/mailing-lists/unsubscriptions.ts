import type { Unsubscription } from './schema.ts'
import type { KeptUnsubscription } from './store.ts'

/** A mail that told of it and is gone by now went out: what is not sent stays. */
const statusOf = ({ by, deliveryStatus }: KeptUnsubscription): Unsubscription['status'] =>
  by === 'one-click' ? 'accepted' : ((deliveryStatus ?? 'sent') as Unsubscription['status'])

export const unsubscriptionOf = (row: KeptUnsubscription): Unsubscription => ({
  ...{ at: row.at, by: row.by, to: row.toldTo, status: statusOf(row), emailId: row.emailId },
})

/** Nobody was told after all. */
export const hasFailed = ({ status }: Unsubscription): boolean =>
  status === 'failed' || status === 'cancelled'
