import * as t from '#locale/subscriptions'
import { useDates } from '../../../ui/time.tsx'
import type { Unsubscription } from './use-mailing-lists.ts'

/** Status text of an unsubscription. */
export const UnsubscriptionStatus = ({
  unsubscription: { at, to, status },
}: {
  unsubscription: Unsubscription
}) => {
  const { date } = useDates()
  switch (status) {
    case 'accepted':
      return t.unsubscribedOn(date(at))
    case 'queued':
      return t.emailQueued(to)
    case 'uncertain':
      return t.emailUncertain(to)
    default:
      return t.emailSent({ to, date: date(at) })
  }
}
