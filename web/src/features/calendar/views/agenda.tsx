import { CalendarSearch, MapPin, Repeat, Video } from 'lucide-react'
import * as t from '#locale/calendar'
import { Tag } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { nameCalendar } from '../calendars/calendar-access.ts'
import { toColorStyle } from '../calendars/calendar-color.ts'
import { ClearFilters } from '../clear-filters.tsx'
import { type Day, daysBetween, isSameDay } from '../days.ts'
import { type DisplayedEvent, touches } from '../displayed-event.ts'
import './agenda.css'
import { dayMark, keysOf, type ViewContext } from './view-context.ts'

const timeWords = (viewContext: ViewContext, { event, first, last }: DisplayedEvent, day: Day): string => {
  const isFirst = isSameDay(first, day)
  const isLast = isSameDay(last, day)
  if (event.allDay || (!isFirst && !isLast)) return t.allDay
  if (isFirst && isLast) return t.shortHours(viewContext.hours(event.start, event.end))
  return isFirst ? t.fromTime(viewContext.time(event.start)) : t.untilTime(viewContext.time(event.end))
}

const byTime = (one: DisplayedEvent, other: DisplayedEvent): number =>
  Number(other.event.allDay) - Number(one.event.allDay) ||
  one.start.epochMilliseconds - other.start.epochMilliseconds

const Row = ({ viewContext, item, day }: { viewContext: ViewContext; item: DisplayedEvent; day: Day }) => {
  const { event, first, last } = item
  const length = daysBetween(first, last) + 1
  const keys = keysOf(viewContext, item, false)
  return (
    <li>
      <button
        type="button"
        className="agenda-row tinted"
        style={toColorStyle(item.calendar?.color)}
        data-event={item.key}
        data-status={event.status}
        aria-haspopup="dialog"
        data-past={viewContext.isPast(item)}
        data-unanswered={viewContext.isUnanswered(item)}
        onClick={(click) => viewContext.open(item, click.currentTarget)}
        onKeyDown={(key) => {
          if (key.key === 'Delete') keys.onKey?.(key)
        }}
      >
        <span className="visually-hidden">{viewContext.labelOf(item)}</span>
        <span className="agenda-time" aria-hidden="true">
          {timeWords(viewContext, item, day)}
        </span>
        <span className="agenda-mark" data-free={!event.busy} />
        <span className="agenda-main" aria-hidden="true">
          <span className="agenda-title">
            <span className="agenda-name row-words">{event.title}</span>
            {event.status !== 'confirmed' && (
              <Tag tone={event.status === 'tentative' ? 'warn' : 'plain'}>{t.statuses[event.status]}</Tag>
            )}
            {viewContext.isUnanswered(item) && <Tag tone="warn">{t.rsvps['needs-action']}</Tag>}
            {event.tags.map((tag) => (
              <Tag key={tag}>#{tag}</Tag>
            ))}
          </span>
          <span className="agenda-notes">
            {item.calendar && !item.calendar.isDefault && <span>{nameCalendar(item.calendar)}</span>}
            {length > 1 && <span>{t.dayOfDays({ day: daysBetween(first, day) + 1, days: length })}</span>}
            {event.location !== '' && (
              <span>
                <MapPin size={13} aria-hidden="true" />
                {event.location}
              </span>
            )}
            {event.meetingUrl !== null && (
              <span>
                <Video size={13} aria-hidden="true" />
                {t.online}
              </span>
            )}
            {event.recurringEventId !== null && (
              <span>
                <Repeat size={13} aria-hidden="true" />
                {t.repeats}
              </span>
            )}
            {event.attendees.length > 0 && <span>{t.attendeeCount(event.attendees.length)}</span>}
          </span>
        </span>
      </button>
    </li>
  )
}

interface AgendaProps {
  viewContext: ViewContext
  isSearch: boolean
  isFiltered: boolean
}

export const Agenda = ({ viewContext, isSearch, isFiltered }: AgendaProps) => {
  const groups = viewContext.days
    .map((day, index) => ({
      day,
      // Search results list a multi-day event once, on its first day.
      entries: viewContext.displayedEvents
        .filter((item) =>
          isSearch ? isSameDay(item.first, day) || (index === 0 && touches(item, day)) : touches(item, day),
        )
        .sort(byTime),
    }))
    .filter(({ entries }) => entries.length > 0)
  const [first, last] = [viewContext.days[0], viewContext.days.at(-1)]
  if (groups.length === 0 && first && last)
    return (
      <div className="card agenda">
        <Empty icon={CalendarSearch} title={isFiltered ? t.noMatches : t.noEvents}>
          <p>{viewContext.words.between(first, last)}</p>
          {isFiltered && <ClearFilters go={viewContext.go} />}
        </Empty>
      </div>
    )
  return (
    <div className="card agenda">
      {groups.map(({ day, entries }) => (
        <section key={day.toString()} aria-label={viewContext.words.full(day)} {...dayMark(day)}>
          <h2 className="agenda-day" data-today={isSameDay(day, viewContext.today)} tabIndex={-1}>
            <span>{viewContext.words.long(day)}</span>
            {isSameDay(day, viewContext.today) && <Tag tone="accent">{t.today}</Tag>}
          </h2>
          <ul>
            {entries.map((item) => (
              <Row key={item.key} viewContext={viewContext} item={item} day={day} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
