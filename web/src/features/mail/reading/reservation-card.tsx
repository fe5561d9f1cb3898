import { useQuery } from '@tanstack/react-query'
import {
  BedDouble,
  Bus,
  CalendarPlus,
  CarFront,
  ExternalLink,
  ListPlus,
  Package,
  Plane,
  ReceiptText,
  Ship,
  ShoppingBag,
  Ticket,
  TrainFront,
  Utensils,
} from 'lucide-react'
import { Fragment, type ReactNode, useId, useState } from 'react'
import * as t from '#locale/reservations'
import { usePreferences } from '../../../api/account.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { formatList } from '../../../locales/format.ts'
import { toFormatLocale } from '../../../locales/languages.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Tag } from '../../../ui/card.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useUndoActions } from '../../../ui/use-undo-actions.ts'
import { addressOf } from '../../calendar/address.ts'
import { taskHref } from '../../tasks/url-state.ts'
import type { Email } from '../folders.ts'
import './reservation-card.css'
import { useRefetch } from '../../../api/use-refetch.ts'

type Reservation = Shape<'StoredReservation'>
type Moment = NonNullable<Reservation['start']>

const ICONS: Record<Reservation['type'], typeof Plane> = {
  flight: Plane,
  train: TrainFront,
  bus: Bus,
  boat: Ship,
  taxi: CarFront,
  car: CarFront,
  hotel: BedDouble,
  restaurant: Utensils,
  event: Ticket,
  parcel: Package,
  order: ShoppingBag,
  invoice: ReceiptText,
}

/** Labels of the two times. */
const labelsOf = (type: Reservation['type']): readonly [string, string] => {
  switch (type) {
    case 'hotel':
      return [t.checkIn, t.checkOut]
    case 'car':
      return [t.pickUp, t.dropOff]
    case 'event':
    case 'restaurant':
      return [t.starts, t.ends]
    case 'parcel':
      return [t.starts, t.delivery]
    case 'order':
      return [t.ordered, t.ends]
    case 'invoice':
      return [t.starts, t.due]
    default:
      return [t.departure, t.arrival]
  }
}

/** Formats a time on the clock of its place. */
const useMoments = () => {
  const { day } = useDates()
  const locale = toFormatLocale(usePreferences().data?.value.locale)
  return ({ local, instant, timezone }: Moment): string =>
    local.length === 10
      ? day(local)
      : new Intl.DateTimeFormat(locale, {
          timeZone: timezone,
          weekday: 'short',
          day: 'numeric',
          month: 'short',
          year: 'numeric',
          hour: 'numeric',
          minute: '2-digit',
        }).format(new Date(instant))
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const End = ({ moment, place }: { moment: Moment | null; place: Reservation['from'] }) => {
  const format = useMoments()
  return (
    <>
      {moment !== null && <span className="reservation-time">{format(moment)}</span>}
      {place !== null && (
        <span>
          {place.name}
          {place.code !== null && place.code !== place.name && ` (${place.code})`}
        </span>
      )}
    </>
  )
}

const isTrip = ({ from, to }: Reservation): boolean => from !== null && to !== null

const Facts = ({ one }: { one: Reservation }) => {
  const locale = toFormatLocale(usePreferences().data?.value.locale)
  const [first, second] = labelsOf(one.type)
  const isTravel = isTrip(one) || one.type === 'car'
  const amount =
    one.price === null
      ? null
      : new Intl.NumberFormat(
          locale,
          one.currency === null ? {} : { style: 'currency', currency: one.currency },
        ).format(one.price)
  const others: readonly (readonly [string, string | null])[] = [
    [t.amount, amount],
    [t.number, one.number],
    [t.platform, one.platform],
    [t.seat, one.seat],
    [t.travellers, one.travellers.length === 0 ? null : formatList(one.travellers)],
    [t.items, one.articles.length === 0 ? null : formatList(one.articles)],
    [t.place, isTravel || one.type === 'parcel' ? null : (one.to?.address ?? null)],
  ]
  return (
    <dl className="reservation-facts">
      {(one.start !== null || (isTravel && one.from !== null)) && (
        <Fact name={first}>
          <End moment={one.start} place={isTravel ? one.from : null} />
        </Fact>
      )}
      {(one.end !== null || (isTravel && one.to !== null)) && (
        <Fact name={second}>
          <End moment={one.end} place={isTravel ? one.to : null} />
        </Fact>
      )}
      {others.map(([name, value]) => (
        <Fragment key={name}>{value !== null && <Fact name={name}>{value}</Fact>}</Fragment>
      ))}
    </dl>
  )
}

const actionOf = ({ state, target, title }: Reservation): { label: string; name: string } | undefined => {
  if (state === 'new')
    return target === 'event'
      ? { label: t.addToCalendar, name: t.addToCalendarNamed(title) }
      : { label: t.addTask, name: t.addTaskNamed(title) }
  if (state === 'changed')
    return target === 'event'
      ? { label: t.updateCalendar, name: t.updateCalendarNamed(title) }
      : { label: t.updateTask, name: t.updateTaskNamed(title) }
  return undefined
}

const stateOf = ({ state, target }: Reservation): string | undefined => {
  if (state === 'added') return target === 'event' ? t.inCalendar : t.inTasks
  if (state === 'changed') return t.changed
  return state === 'outdated' ? t.outdated : undefined
}

/** The service sends only web addresses. This check keeps others out of the page in any case. */
const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url)

interface ReservationItemProps {
  one: Reservation
  isBusy: boolean
  onAdd: () => void
}

const ReservationItem = ({ one, isBusy, onAdd }: ReservationItemProps) => {
  const titleId = useId()
  const Icon = ICONS[one.type]
  const status = t.statuses[one.status]
  const action = actionOf(one)
  const stateText = stateOf(one)
  const isAssumed = isTrip(one) && one.start?.zoneSource === 'reader' && one.start.local.length > 10
  return (
    <li aria-labelledby={titleId} className="reservation" data-status={one.status}>
      <h3 id={titleId}>
        <Icon size={18} aria-hidden="true" />
        <span>{one.title}</span>
        {status !== '' && <Tag tone={one.status === 'cancelled' ? 'bad' : 'good'}>{status}</Tag>}
      </h3>
      <Facts one={one} />
      {isAssumed && <p className="quiet small">{t.zoneAssumed}</p>}
      {stateText !== undefined && <p className="quiet">{stateText}</p>}
      <div className="reservation-actions">
        {action && (
          <Button size="small" busy={isBusy} aria-label={action.name} onClick={onAdd}>
            {one.target === 'event' ? (
              <CalendarPlus size={14} aria-hidden="true" />
            ) : (
              <ListPlus size={14} aria-hidden="true" />
            )}
            {action.label}
          </Button>
        )}
        {one.eventId !== null && one.start !== null && (
          <LinkButton
            size="small"
            kind="quiet"
            href={addressOf({ view: 'day', date: one.start.local.slice(0, 10) })}
          >
            {t.showInCalendar}
          </LinkButton>
        )}
        {one.taskId !== null && (
          <LinkButton size="small" kind="quiet" href={taskHref(one.taskId)}>
            {t.openTask}
          </LinkButton>
        )}
        {one.type === 'parcel' && isWeb(one.url) && (
          <a
            className="button"
            data-size="small"
            data-kind="quiet"
            href={one.url}
            target="_blank"
            rel="noreferrer noopener"
          >
            <ExternalLink size={14} aria-hidden="true" />
            {t.trackParcel}
          </a>
        )}
      </div>
    </li>
  )
}

/** The trips, stays, parcels and invoices of an email, with buttons to add them. */
export const ReservationCard = ({ email }: { email: Email }) => {
  const client = useClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const [busyId, setBusyId] = useState<string | null>(null)
  const path = { id: email.id }
  const { data } = useQuery({
    // Below `calendar`, so that a change of an event refreshes the state.
    queryKey: ['calendar', 'reservations', email.id],
    queryFn: ({ signal }) =>
      unwrap(client.GET('/api/emails/{id}/reservations', { params: { path }, signal })),
    retry: false,
  })
  const refresh = useRefetch(['calendar'], ['tasks'])
  const undoActions = useUndoActions(['calendar'], ['tasks'])
  if (!data || data.reservations.length === 0) return null
  const add = async (some: readonly Reservation[], busy: string) => {
    setBusyId(busy)
    await attempt(async () => {
      const { actionIds } = await unwrap(
        client.POST('/api/emails/{id}/reservations', {
          params: { path },
          body: { ids: some.map(({ id }) => id) },
        }),
      )
      const text = some.every(({ target }) => target === 'task') ? t.tasksUpdated : t.calendarUpdated
      notify(text, actionIds.length > 0 ? { undo: () => void undoActions(actionIds, t.undone) } : {})
    })
    setBusyId(null)
    await refresh()
  }
  const addable = data.reservations.filter((one) => actionOf(one) !== undefined)
  return (
    <div className="reservations">
      <ul aria-label={t.list}>
        {data.reservations.map((one) => (
          <ReservationItem
            key={one.id}
            one={one}
            isBusy={busyId === one.id || busyId === 'all'}
            onAdd={() => void add([one], one.id)}
          />
        ))}
      </ul>
      {addable.length > 1 && (
        <Button size="small" busy={busyId === 'all'} onClick={() => void add(addable, 'all')}>
          {t.addAll}
        </Button>
      )}
    </div>
  )
}
