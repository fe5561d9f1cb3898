import { Ban, CalendarCheck, CircleHelp, Repeat, Video } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import * as t from '#locale/calendar'
import './chip.css'
import { isMovable } from './calendars/calendar-access.ts'
import { toColorStyle } from './calendars/calendar-color.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import type { CalendarEvent } from './event.ts'

const StatusMark = ({ status, size }: { status: CalendarEvent['status']; size: number }) => {
  if (status === 'cancelled') return <Ban size={size} aria-hidden="true" />
  if (status === 'tentative') return <CircleHelp size={size} aria-hidden="true" />
  return null
}

interface ChipProps {
  item: DisplayedEvent
  /** `block`: in the hour grid. `bar`: across days. `line`: a line in a day cell. */
  form: 'block' | 'bar' | 'line'
  /** Accessible name with day, time and status. */
  label: string
  time: string | null
  style?: CSSProperties
  /** The event continues before or after the drawn part. */
  from?: boolean
  to?: boolean
  /** The chip has space for one line only. */
  short?: boolean
  ghost?: boolean
  carried?: boolean
  /** Shows large handles after a long press. */
  held?: boolean
  /** An invitation that the user has not answered. */
  unanswered?: boolean
  /** The event has ended. */
  past?: boolean
  onOpen: (element: HTMLElement) => void
  onPress?: (down: PointerEvent) => void
  onStretchStart?: (down: PointerEvent) => void
  onStretch?: (down: PointerEvent) => void
  onKey?: (event: KeyboardEvent) => void
  onKeyUp?: (event: KeyboardEvent) => void
  onBlur?: () => void
}

/** An end of the event that can be dragged. */
const Handle = ({ at, onPress }: { at: 'start' | 'end'; onPress: ChipProps['onPress'] }) =>
  onPress && <span className="chip-grip" data-at={at} aria-hidden="true" onPointerDown={onPress} />

export const Chip = (props: ChipProps) => {
  const { item, form, label, time, style, ghost = false, carried = false } = props
  const { event } = item
  const look = {
    className: 'chip tinted',
    style: { ...toColorStyle(item.calendar?.color), ...style },
    'data-event': item.key,
    'data-form': form,
    'data-status': event.status,
    'data-free': !event.busy,
    'data-from': props.from ?? false,
    'data-to': props.to ?? false,
    'data-short': props.short ?? false,
    'data-carried': carried,
    'data-held': props.held ?? false,
    'data-past': props.past ?? false,
    'data-unanswered': props.unanswered ?? false,
    'data-read-only': !isMovable(item),
  }
  const inside = (
    <>
      <span className="chip-words" aria-hidden="true">
        {form !== 'block' && time !== null && <span className="chip-time">{time}</span>}
        <span className="chip-title">
          <StatusMark status={event.status} size={13} />
          {event.source === 'bookingsvc' && event.status === 'confirmed' && (
            <CalendarCheck size={13} aria-hidden="true" />
          )}
          {event.title}
        </span>
        {form === 'block' && time !== null && <span className="chip-time">{t.shortHours(time)}</span>}
        {form === 'block' && event.location !== '' && <span className="chip-where">{event.location}</span>}
      </span>
      {form === 'block' && (event.recurringEventId !== null || event.meetingUrl !== null) && (
        <span className="chip-marks">
          {event.meetingUrl !== null && <Video size={12} aria-hidden="true" />}
          {event.recurringEventId !== null && <Repeat size={12} aria-hidden="true" />}
        </span>
      )}
    </>
  )
  if (ghost)
    return (
      <div {...look} data-ghost="true" aria-hidden="true">
        {inside}
      </div>
    )
  return (
    <button
      type="button"
      {...look}
      aria-haspopup="dialog"
      title={
        event.source === 'bookingsvc'
          ? t.bookingManaged
          : form === 'block'
            ? undefined
            : `${time === null ? '' : `${time} `}${event.title}`
      }
      onClick={(click) => props.onOpen(click.currentTarget)}
      onPointerDown={props.onPress}
      onKeyDown={props.onKey}
      onKeyUp={props.onKeyUp}
      onBlur={props.onBlur}
    >
      <span className="visually-hidden">{label}</span>
      {inside}
      <Handle at="start" onPress={props.onStretchStart} />
      <Handle at="end" onPress={props.onStretch} />
    </button>
  )
}
