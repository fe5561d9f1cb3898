import { Ticket } from 'lucide-react'
import * as reservations from '#locale/reservations'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { useDates } from '../../ui/time.tsx'
import { eventAddress } from '../calendar/address.ts'
import { taskHref } from '../tasks/url-state.ts'
import { CardFrame, type CardProps, useItem } from './card-frame.tsx'

type Reservation = Partial<Omit<Shape<'StoredReservation'>, 'start' | 'end'>> & {
  start?: unknown
  end?: unknown
  emailId?: number | null
}

/** The time on the clock of its place, as `2027-03-04T20:15` or only a day. */
const toLocal = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  const local = typeof value === 'object' && value !== null && 'local' in value ? value.local : null
  return typeof local === 'string' ? local : null
}

/** A trip, stay, parcel or invoice that was read from an email. */
export const ReservationCard = ({ item, isEnabled }: CardProps) => {
  const client = useClient()
  const { day } = useDates()
  const data = item.data as Reservation
  const { title = '', number, status, emailId, eventId, taskId } = data
  const local = toLocal(data.start) ?? toLocal(data.end)
  const date = local?.slice(0, 10) ?? null
  const calendarHref = eventId ? eventAddress({ id: eventId, occurrence: null, day: date }) : null
  const taskAddress = taskId ? taskHref(taskId) : null
  const mailHref = emailId ? `/mail/inbox/${emailId}` : null
  // The email holds the reservation, and may be deleted.
  const load = () => unwrap(client.GET('/api/emails/{id}', { params: { path: { id: emailId ?? 0 } } }))
  const { isGone } = useItem<object>(item, isEnabled && mailHref !== null, load)
  const hrefs = [isGone ? null : mailHref, calendarHref, taskAddress]
  const href = hrefs.find((each) => each !== null)
  return (
    <CardFrame
      item={item}
      icon={Ticket}
      href={href ?? ''}
      title={title}
      isGone={href === undefined}
      notes={[
        status && reservations.statuses[status],
        date !== null && [day(date), local?.slice(11, 16)].filter(Boolean).join(', '),
        number,
      ]}
    >
      {calendarHref !== null && calendarHref !== href && (
        <LinkButton kind="quiet" size="small" href={calendarHref}>
          {reservations.showInCalendar}
        </LinkButton>
      )}
      {taskAddress !== null && taskAddress !== href && (
        <LinkButton kind="quiet" size="small" href={taskAddress}>
          {reservations.openTask}
        </LinkButton>
      )}
    </CardFrame>
  )
}
