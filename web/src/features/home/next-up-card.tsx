import { useQuery } from '@tanstack/react-query'
import { CalendarCheck, CalendarDays } from 'lucide-react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Tag } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useDates } from '../../ui/time.tsx'
import { isPendingDeletion, usePendingEventDeletions } from '../calendar/delete-event.ts'

const MAX_ITEMS = 5
const DAYS = 7

type CalendarEvent = Shape<'Event'>

/** All-day events use the day of their own time zone. */
const dayOf = (event: CalendarEvent, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: event.allDay ? event.timezone : timeZone }).format(
    new Date(event.start),
  )

const Row = ({ event, now }: { event: CalendarEvent; now: Date }) => {
  const { hours, dayOf: writtenDay, nearDay, dayInFull, wholeDayInFull, timeZone } = useDates()
  const day = dayOf(event, timeZone)
  const today = writtenDay(now)
  const isOn = new Date(event.start) <= now
  const inFull = event.allDay ? wholeDayInFull(event.start, event.timezone) : dayInFull(event.start)
  // An event that started earlier is listed under today.
  const near = nearDay(day <= today ? today : day, now)
  const dayWords = near.charAt(0).toUpperCase() + near.slice(1)
  return (
    <li>
      <span className="row-icon">
        <CalendarDays size={18} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title">
          <span className="row-words">{event.title}</span>
          {isOn && !event.allDay && <Tag tone="accent">Now</Tag>}
          {event.status === 'tentative' && <Tag tone="warn">Tentative</Tag>}
        </p>
        <p className="row-notes">
          <span title={inFull}>{dayWords}</span>
          <span>{event.allDay ? 'all day' : hours(event.start, event.end)}</span>
          {event.location !== '' && <span>{event.location}</span>}
        </p>
      </div>
      {event.meetingUrl !== null && /^https?:/i.test(event.meetingUrl) && (
        <a
          className="button"
          data-size="small"
          href={event.meetingUrl}
          target="_blank"
          rel="noreferrer noopener"
          aria-label={`Join ${event.title}`}
        >
          Join
        </a>
      )}
    </li>
  )
}

/** Current and upcoming events. */
export const NextUpCard = ({ now }: { now: Date }) => {
  const client = useClient()
  const pendingDeletions = usePendingEventDeletions()
  const query = useQuery({
    queryKey: ['calendar', 'upcoming'],
    queryFn: () =>
      unwrap(client.GET('/api/calendar/upcoming', { params: { query: { days: DAYS, limit: MAX_ITEMS } } })),
    refetchInterval: 60_000,
  })
  return (
    <Card title="Next up" about="The next seven days.">
      <Loaded query={query} lines={4}>
        {({ events: upcoming }) => {
          const events = upcoming.filter((event) => !isPendingDeletion(event, pendingDeletions))
          return (
            <>
              {events.length === 0 ? (
                <Empty icon={CalendarCheck} title="Nothing planned">
                  <p>The week is yours.</p>
                </Empty>
              ) : (
                <ul className="rows">
                  {events.map((event) => (
                    <Row key={`${event.id}@${event.occurrenceStart}`} event={event} now={now} />
                  ))}
                </ul>
              )}
              <div className="home-more">
                <LinkButton href="/calendar" size="small">
                  Open the calendar
                </LinkButton>
              </div>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
