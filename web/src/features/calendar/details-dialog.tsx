import { useQuery } from '@tanstack/react-query'
import {
  Bell,
  Clock3,
  FileText,
  MapPin,
  Pencil,
  Repeat,
  StickyNote,
  Tags,
  Trash2,
  Users,
  Video,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Tag } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toCityName } from '../../ui/time-zone.ts'
import { useLastValue } from '../../ui/use-last-value.ts'
import { type DayWords, daysBetween } from './days.ts'
import './details.css'
import type { DisplayedEvent } from './displayed-event.ts'
import { readRepeat } from './editor/repeat.ts'
import { repeatWords } from './editor/repeat-words.ts'
import { eventQuery } from './events.ts'
import { RSVP_LABELS, reminderWords, SOURCE_WORDS, STATUS_WORDS } from './words.ts'

interface DetailsProps {
  item: DisplayedEvent | null
  words: DayWords
  hours: (start: string, end: string) => string
  timezone: string
  onClose: () => void
  onEdit: (item: DisplayedEvent) => void
  onDelete: (item: DisplayedEvent) => void
}

const Line = ({ icon: Icon, name, children }: { icon: typeof Clock3; name: string; children: ReactNode }) => (
  <div className="detail">
    <dt>
      <Icon size={17} aria-hidden="true" />
      <span className="only-heard">{name}</span>
    </dt>
    <dd>{children}</dd>
  </div>
)

const isWeb = (link: string): boolean => /^https?:/i.test(link)

const RepeatLine = ({ item, words }: { item: DisplayedEvent; words: DayWords }) => {
  const { id, timezone, allDay } = item.event
  const series = useQuery(eventQuery(useClient(), id, null)).data?.value
  if (!series) return <>Repeats</>
  const repeat = readRepeat(series.recurrence, { start: item.first, allDay, timezone })
  return <>{series.recurrence === null ? 'Repeats on chosen days' : repeatWords(repeat, item.first, words)}</>
}

export const DetailsDialog = ({ item: current, words, hours, timezone, ...on }: DetailsProps) => {
  const item = useLastValue(current)
  if (!item) return null
  const { event, first, last } = item
  const days = daysBetween(first, last) === 0 ? words.full(first) : words.between(first, last)
  const times = event.allDay ? 'All day' : hours(event.start, event.end)
  return (
    <Dialog open={current !== null} onClose={on.onClose} title={event.title}>
      <dl className="details">
        <Line icon={Clock3} name="When">
          <p>{days}</p>
          <p className="quiet">
            {times}
            {event.timezone !== timezone && !event.allDay && `, made in ${toCityName(event.timezone)}`}
          </p>
          {event.status !== 'confirmed' && (
            <p>
              <Tag tone={event.status === 'tentative' ? 'warn' : 'bad'}>{STATUS_WORDS[event.status]}</Tag>
            </p>
          )}
        </Line>
        {event.recurringEventId !== null && (
          <Line icon={Repeat} name="Repeats">
            <RepeatLine item={item} words={words} />
          </Line>
        )}
        {event.location !== '' && (
          <Line icon={MapPin} name="Place">
            {event.location}
          </Line>
        )}
        {event.meetingUrl !== null && (
          <Line icon={Video} name="Meeting link">
            {isWeb(event.meetingUrl) ? (
              <a href={event.meetingUrl} target="_blank" rel="noreferrer noopener">
                {event.meetingUrl}
              </a>
            ) : (
              event.meetingUrl
            )}
          </Line>
        )}
        {event.attendees.length > 0 && (
          <Line icon={Users} name="People">
            <ul>
              {event.attendees.map(({ name, email, status }) => (
                <li key={email}>
                  <span title={email}>{name || email}</span>{' '}
                  <span className="quiet small">
                    {RSVP_LABELS[status]}
                    {email === event.organizer?.email && ', organises it'}
                  </span>
                </li>
              ))}
            </ul>
          </Line>
        )}
        {event.reminders.length > 0 && (
          <Line icon={Bell} name="Reminders">
            {event.reminders.map(({ minutesBefore }) => reminderWords(minutesBefore)).join(', ')}
          </Line>
        )}
        {event.description !== '' && (
          <Line icon={FileText} name="Description">
            <p className="details-text">{event.description}</p>
          </Line>
        )}
        {event.notes !== '' && (
          <Line icon={StickyNote} name="Notes">
            <p className="details-text">{event.notes}</p>
          </Line>
        )}
        {event.tags.length > 0 && (
          <Line icon={Tags} name="Tags">
            <span className="pills">
              {event.tags.map((tag) => (
                <Tag key={tag}>{tag}</Tag>
              ))}
            </span>
          </Line>
        )}
      </dl>
      <p className="quiet small">
        {SOURCE_WORDS[event.source]}
        {event.source === 'bookingsvc' && ': its time, status and guests follow the booking provider'}
      </p>
      <div className="dialog-actions">
        <Button kind="warning" onClick={() => on.onDelete(item)}>
          <Trash2 size={16} aria-hidden="true" />
          Delete
        </Button>
        <Button kind="primary" data-first onClick={() => on.onEdit(item)}>
          <Pencil size={16} aria-hidden="true" />
          Edit
        </Button>
      </div>
    </Dialog>
  )
}
