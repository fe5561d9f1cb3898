import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Notice } from '../../../ui/notice.tsx'

type Drift = Shape<'DriftReport'>

const KINDS = [
  ['missing', 'No event stands for these'],
  ['changed', 'Their events say something else'],
  ['orphaned', 'The provider does not list these'],
] as const

const DriftResult = ({ drift }: { drift: Drift }) => {
  const found = KINDS.filter(([kind]) => drift[kind].count > 0)
  if (found.length === 0)
    return (
      <Notice tone="good" icon={CircleCheck}>
        The provider and the calendar say the same of {drift.fetched} bookings.
      </Notice>
    )
  return (
    <Notice tone="warn" icon={CircleAlert}>
      {found.map(([kind, words]) => (
        <div key={kind}>
          <p>
            {words} ({drift[kind].count}):
          </p>
          <ul>
            {drift[kind].bookings.slice(0, 10).map((booking) => (
              <li key={booking.bookingId}>
                <code>{booking.bookingId}</code>
                {'title' in booking && ` ${booking.title}`}
                {'fields' in booking && ` ${booking.fields.join(', ')}`}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Notice>
  )
}

/** Compares all bookings with the calendar on request. */
export const DriftCard = () => {
  const client = useClient()
  const compare = useMutation({ mutationFn: () => unwrap(client.GET('/api/bookingsvc/drift')) })
  return (
    <Card
      id="booking-drift"
      title="Compare"
      about="Looks at every booking and changes nothing. “Look at everything” above mends what is found."
    >
      <div className="booking-stack">
        <div role="status">
          {compare.data && <DriftResult drift={compare.data} />}
          {compare.error && (
            <Notice tone="bad" icon={CircleAlert}>
              {describeError(compare.error)}
            </Notice>
          )}
        </div>
        <div className="form-actions">
          <Button busy={compare.isPending} onClick={() => compare.mutate()}>
            Compare now
          </Button>
        </div>
      </div>
    </Card>
  )
}
