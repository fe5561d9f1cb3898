import { useQuery } from '@tanstack/react-query'
import {
  Bell,
  Car,
  Clock3,
  CopyPlus,
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
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as t from '#locale/calendar'
import * as calendars from '#locale/calendars'
import * as common from '#locale/shared-texts'
import { type Calendar, useCalendars } from '../../api/calendars.ts'
import { useClient, useServices } from '../../api/context.tsx'
import { formatList } from '../../locales/format.ts'
import { usePageSubject } from '../../shell/page-subject.ts'
import { isTextField } from '../../shell/type-ahead.ts'
import { Button } from '../../ui/button.tsx'
import { Tag } from '../../ui/card.tsx'
import { Popover } from '../../ui/popover.tsx'
import { toCityName } from '../../ui/time-zone.ts'
import { useLastValue } from '../../ui/use-last-value.ts'
import { hasOwnReminders, isEditable } from './calendars/calendar-access.ts'
import { toColorStyle } from './calendars/calendar-color.ts'
import { type DayWords, daysBetween } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import { RemindersField } from './editor/reminders-field.tsx'
import { readRepeat } from './editor/repeat.ts'
import { describeRepeat } from './editor/repeat-text.ts'
import type { CalendarEvent } from './event.ts'
import { eventQuery } from './events.ts'
import { useFindInvitation } from './own-invitation.ts'
import { describeReminder, listBuffers } from './reminder-text.ts'
import './event-popover.css'

const ANSWERS = ['accepted', 'tentative', 'declined'] as const
export type InvitationAnswer = (typeof ANSWERS)[number]

interface EventPopoverProps {
  item: DisplayedEvent | null
  /** The element of the event in the view. */
  anchor: HTMLElement | null
  words: DayWords
  hours: (start: string, end: string) => string
  timezone: string
  onClose: (isOutsidePress: boolean) => void
  onEdit: (item: DisplayedEvent) => void
  onDuplicate: (item: DisplayedEvent) => void
  onDelete: (item: DisplayedEvent) => void
  onRespond: (item: DisplayedEvent, answer: InvitationAnswer) => Promise<void>
  onRemind: (item: DisplayedEvent, minutes: readonly number[]) => Promise<void>
}

const Line = ({ icon: Icon, name, children }: { icon: typeof Clock3; name: string; children: ReactNode }) => (
  <div className="detail">
    <dt>
      <Icon size={17} aria-hidden="true" />
      <span className="visually-hidden">{name}</span>
    </dt>
    <dd>{children}</dd>
  </div>
)

const isWeb = (link: string): boolean => /^https?:/i.test(link)

const RepeatLine = ({ item, words }: { item: DisplayedEvent; words: DayWords }) => {
  const { id, timezone, allDay } = item.event
  const series = useQuery(eventQuery(useClient(), id, null)).data?.value
  if (!series) return <>{t.repeats}</>
  const repeat = readRepeat(series.recurrence, { start: item.first, allDay, timezone })
  return <>{series.recurrence === null ? t.repeatsOnDates : describeRepeat(repeat, item.first, words)}</>
}

const Response = ({ item, onRespond }: Pick<EventPopoverProps, 'onRespond'> & { item: DisplayedEvent }) => {
  const invitation = useFindInvitation([item.event])(item.event)
  const [isSending, setIsSending] = useState(false)
  if (!invitation) return null
  const respond = (answer: InvitationAnswer) => {
    setIsSending(true)
    void onRespond(item, answer).finally(() => setIsSending(false))
  }
  return (
    <fieldset className="event-response">
      <legend>{t.going}</legend>
      {ANSWERS.map((answer) => (
        <Button
          key={answer}
          size="small"
          kind={invitation.status === answer ? 'primary' : 'plain'}
          aria-pressed={invitation.status === answer}
          disabled={isSending}
          onClick={() => respond(answer)}
        >
          {t.answers[answer]}
        </Button>
      ))}
    </fieldset>
  )
}

const CalendarLine = ({ calendar }: { calendar: Calendar }) => {
  const { name, color, owner, role, readOnly } = calendar
  const access = role === 'owner' ? readOnly && calendars.readOnly : calendars.roles[role]
  const facts = formatFacts([owner?.name ?? false, access])
  return (
    <div className="detail">
      <dt>
        <span className="calendar-dot tinted" style={toColorStyle(color)} />
        <span className="visually-hidden">{calendars.calendar}</span>
      </dt>
      <dd>
        <p>{name}</p>
        {facts !== '' && <p className="quiet small">{facts}</p>}
      </dd>
    </div>
  )
}

const Attendees = ({ event }: { event: CalendarEvent }) => (
  <ul className="event-attendees">
    {event.attendees.map(({ name, email, status }) => (
      <li key={email}>
        <span title={email}>{name || email}</span>{' '}
        <span className="quiet small">
          {formatFacts([t.rsvps[status], email === event.organizer?.email && t.organizer])}
        </span>
      </li>
    ))}
  </ul>
)

const formatFacts = (facts: readonly (string | false)[]): string => facts.filter(Boolean).join(' · ')

const When = ({ item, words, hours, timezone }: EventDetailsProps) => {
  const { event, first, last } = item
  const days = daysBetween(first, last) === 0 ? words.full(first) : words.between(first, last)
  const times = event.allDay ? t.allDay : hours(event.start, event.end)
  // Imported files often state times in UTC, which is no place where the event happens.
  const isElsewhere = event.timezone !== timezone && event.timezone !== 'UTC' && !event.allDay
  return (
    <>
      <p>{days}</p>
      <p className="quiet">
        {isElsewhere ? t.timeInZone({ hours: times, city: toCityName(event.timezone) }) : times}
      </p>
      {event.status !== 'confirmed' && (
        <p>
          <Tag tone={event.status === 'tentative' ? 'warn' : 'bad'}>{t.statuses[event.status]}</Tag>
        </p>
      )}
    </>
  )
}

type EventActions = Pick<EventPopoverProps, 'onEdit' | 'onDelete'>

interface EventDetailsProps extends Pick<EventPopoverProps, 'words' | 'hours' | 'timezone'> {
  item: DisplayedEvent
}

const EventDetails = (props: EventDetailsProps) => {
  const { item, words } = props
  const { event } = item
  const { meetingUrl } = event
  const buffers = listBuffers(event)
  return (
    <dl className="details">
      <Line icon={Clock3} name={t.time}>
        <When {...props} />
      </Line>
      {buffers.length > 0 && (
        <Line icon={Car} name={t.buffer}>
          {formatList(buffers)}
        </Line>
      )}
      {event.recurringEventId !== null && (
        <Line icon={Repeat} name={t.repeats}>
          <RepeatLine item={item} words={words} />
        </Line>
      )}
      {event.location !== '' && (
        <Line icon={MapPin} name={t.location}>
          {event.location}
        </Line>
      )}
      {meetingUrl !== null && (
        <Line icon={Video} name={t.meetingLink}>
          {isWeb(meetingUrl) ? (
            <a href={meetingUrl} target="_blank" rel="noreferrer noopener">
              {meetingUrl}
            </a>
          ) : (
            meetingUrl
          )}
        </Line>
      )}
      {event.attendees.length > 0 && (
        <Line icon={Users} name={t.attendees}>
          <Attendees event={event} />
        </Line>
      )}
      {event.reminders.length > 0 && !hasOwnReminders(item) && (
        <Line icon={Bell} name={t.reminders}>
          {formatList(event.reminders.map(({ minutesBefore }) => describeReminder(minutesBefore)))}
        </Line>
      )}
      {event.description !== '' && (
        <Line icon={FileText} name={t.description}>
          <p className="details-text">{event.description}</p>
        </Line>
      )}
      {event.notes !== '' && (
        <Line icon={StickyNote} name={t.notes}>
          <p className="details-text">{event.notes}</p>
        </Line>
      )}
      {event.tags.length > 0 && (
        <Line icon={Tags} name={t.tags}>
          <span className="pills">
            {event.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        </Line>
      )}
      {item.calendar && <CalendarLine calendar={item.calendar} />}
    </dl>
  )
}

/** The calendar of the original event. A member of a shared calendar may not see it. */
const MirrorLine = ({ originalId }: { originalId: number }) => {
  const original = useQuery({ ...eventQuery(useClient(), originalId, null), retry: false }).data?.value
  const { byId } = useCalendars()
  const name = original && byId.get(original.calendarId)?.name
  return (
    <p className="quiet small">{name === undefined ? calendars.mirrored : calendars.mirroredFrom(name)}</p>
  )
}

/** The origin of the event. Null for an event of somebody else, whose source says nothing to the user. */
const describeSource = ({ event, calendar }: DisplayedEvent): string | null => {
  if ((calendar !== null && calendar.owner !== null) || event.mirrorOf !== null) return null
  if (event.source === 'bookingsvc') return t.bookingManaged
  return event.source === 'manual' && event.changedBy !== null ? null : t.sources[event.source]
}

/** The keys of a focused event also work in its popover: `e` edits, Delete deletes. */
const useEventKeys = (item: DisplayedEvent | null, { onEdit, onDelete }: EventActions): void => {
  const { browserStorage } = useServices()
  const latest = useRef({ onEdit, onDelete })
  latest.current = { onEdit, onDelete }
  useEffect(() => {
    if (!item || !isEditable(item)) return
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTextField(event.target)) return
      const isLetter = event.key === 'e' && browserStorage.read('shortcuts') !== 'off'
      const isDeletion = event.key === 'Delete' || event.key === 'Backspace'
      if (!isLetter && !isDeletion) return
      event.preventDefault()
      if (isLetter) latest.current.onEdit(item)
      else latest.current.onDelete(item)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [item, browserStorage])
}

/** Details of an event beside it, with the actions on it. */
export const EventPopover = ({ item: current, anchor, onClose, ...props }: EventPopoverProps) => {
  const item = useLastValue(current)
  useEventKeys(current, props)
  const open = current?.event
  usePageSubject(
    open
      ? {
          type: 'event',
          id: open.id,
          title: open.title,
          ...(open.occurrenceStart !== null && { occurrence: open.occurrenceStart }),
        }
      : null,
    { isTransient: true },
  )
  if (!item) return null
  const { event } = item
  const canEdit = isEditable(item)
  const source = describeSource(item)
  // Only the owner is invited.
  const canRespond = item.calendar === null || item.calendar.owner === null
  const canJoin = event.meetingUrl !== null && isWeb(event.meetingUrl) && event.status !== 'cancelled'
  return (
    <Popover
      open={current !== null}
      onClose={onClose}
      title={event.title}
      // A wide row would leave no space beside it.
      anchor={anchor?.querySelector<HTMLElement>('.agenda-name') ?? anchor}
      side="right"
      hasCommands
      returnFocusTo={() => anchor}
    >
      <EventDetails item={item} words={props.words} hours={props.hours} timezone={props.timezone} />
      {event.mirrorOf !== null && <MirrorLine originalId={event.mirrorOf} />}
      {source !== null && <p className="quiet small">{source}</p>}
      {event.changedBy !== null && <p className="quiet small">{calendars.changedBy(event.changedBy)}</p>}
      {hasOwnReminders(item) && (
        <RemindersField
          reminders={event.reminders.map(({ minutesBefore }) => minutesBefore)}
          onChange={(minutes) => void props.onRemind(item, minutes)}
        />
      )}
      {canRespond && <Response item={item} onRespond={props.onRespond} />}
      {!item.isBusyTime && (
        <div className="dialog-actions">
          <Button
            kind="quiet"
            shape="icon"
            aria-label={t.duplicate}
            title={t.duplicate}
            data-duplicate=""
            onClick={() => props.onDuplicate(item)}
          >
            <CopyPlus size={16} aria-hidden="true" />
          </Button>
          {canEdit && (
            <>
              <Button
                kind="warning"
                shape="icon"
                aria-label={common.remove}
                title={common.remove}
                onClick={() => props.onDelete(item)}
              >
                <Trash2 size={16} aria-hidden="true" />
              </Button>
              <Button kind={canJoin ? 'plain' : 'primary'} data-first onClick={() => props.onEdit(item)}>
                <Pencil size={16} aria-hidden="true" />
                {common.edit}
              </Button>
            </>
          )}
          {canJoin && (
            <a
              className="button"
              data-kind="primary"
              href={event.meetingUrl ?? ''}
              target="_blank"
              rel="noreferrer noopener"
            >
              <Video size={16} aria-hidden="true" />
              {t.join}
            </a>
          )}
        </div>
      )}
    </Popover>
  )
}
