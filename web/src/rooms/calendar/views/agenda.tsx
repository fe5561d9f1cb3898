import { CalendarSearch, MapPin, Repeat, Video } from 'lucide-react'
import { Tag } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { type Day, daysBetween, isSameDay } from '../days.ts'
import { type Shown, touches } from '../shown.ts'
import { countWords, STATUS_WORDS } from '../words.ts'
import './agenda.css'
import { type Desk, dayMark, keysOf } from './desk.ts'

const timeWords = (desk: Desk, { event, first, last }: Shown, day: Day): string => {
  const isFirst = isSameDay(first, day)
  const isLast = isSameDay(last, day)
  if (event.allDay || (!isFirst && !isLast)) return 'All day'
  if (isFirst && isLast) return desk.hours(event.start, event.end)
  return isFirst ? `from ${desk.time(event.start)}` : `until ${desk.time(event.end)}`
}

const byTime = (one: Shown, other: Shown): number =>
  Number(other.event.allDay) - Number(one.event.allDay) ||
  one.start.epochMilliseconds - other.start.epochMilliseconds

const Row = ({ desk, shown, day }: { desk: Desk; shown: Shown; day: Day }) => {
  const { event, first, last } = shown
  const length = daysBetween(first, last) + 1
  const keys = keysOf(desk, shown, false)
  return (
    <li>
      <button
        type="button"
        className="agenda-row"
        data-status={event.status}
        aria-haspopup="dialog"
        onClick={() => desk.open(shown)}
        onKeyDown={(key) => {
          if (key.key === 'Delete') keys.onKey(key)
        }}
      >
        <span className="only-heard">{desk.labelOf(shown)}</span>
        <span className="agenda-time" aria-hidden="true">
          {timeWords(desk, shown, day)}
        </span>
        <span className="agenda-mark" data-free={!event.busy} />
        <span className="agenda-main" aria-hidden="true">
          <span className="agenda-title">
            <span className="agenda-name row-words">{event.title}</span>
            {event.status !== 'confirmed' && (
              <Tag tone={event.status === 'tentative' ? 'warn' : 'plain'}>{STATUS_WORDS[event.status]}</Tag>
            )}
            {event.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
          <span className="agenda-notes">
            {length > 1 && (
              <span>
                Day {daysBetween(first, day) + 1} of {length}
              </span>
            )}
            {event.location !== '' && (
              <span>
                <MapPin size={13} aria-hidden="true" />
                {event.location}
              </span>
            )}
            {event.meetingUrl !== null && (
              <span>
                <Video size={13} aria-hidden="true" />
                Online
              </span>
            )}
            {event.recurringEventId !== null && (
              <span>
                <Repeat size={13} aria-hidden="true" />
                Repeats
              </span>
            )}
            {event.attendees.length > 0 && (
              <span>{countWords(event.attendees.length, 'person', 'people')}</span>
            )}
          </span>
        </span>
      </button>
    </li>
  )
}

export const Agenda = ({ desk, isSearch }: { desk: Desk; isSearch: boolean }) => {
  const groups = desk.days
    .map((day, index) => ({
      day,
      // A search finds each once, where it begins.
      entries: desk.shown
        .filter((shown) =>
          isSearch
            ? isSameDay(shown.first, day) || (index === 0 && touches(shown, day))
            : touches(shown, day),
        )
        .sort(byTime),
    }))
    .filter(({ entries }) => entries.length > 0)
  const [first, last] = [desk.days[0], desk.days.at(-1)]
  if (groups.length === 0 && first && last)
    return (
      <div className="card agenda">
        <Empty icon={CalendarSearch} title={isSearch ? 'Nothing found' : 'Nothing planned'}>
          <p>
            {isSearch ? 'No event has these words in it' : 'There is no event'},{' '}
            {desk.words.between(first, last)}.
          </p>
        </Empty>
      </div>
    )
  return (
    <div className="card agenda">
      {groups.map(({ day, entries }) => (
        <section key={day.toString()} aria-label={desk.words.full(day)} {...dayMark(day)}>
          <h2 className="agenda-day" data-today={isSameDay(day, desk.today)} tabIndex={-1}>
            <span>{desk.words.long(day)}</span>
            {isSameDay(day, desk.today) && <Tag tone="accent">Today</Tag>}
          </h2>
          <ul>
            {entries.map((shown) => (
              <Row key={shown.key} desk={desk} shown={shown} day={day} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
