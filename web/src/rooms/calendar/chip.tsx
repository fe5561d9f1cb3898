import { Ban, CalendarCheck, CircleHelp, Repeat, Video } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import './chip.css'
import type { Shown } from './shown.ts'
import type { CalendarEvent } from './words.ts'

const StatusMark = ({ status, size }: { status: CalendarEvent['status']; size: number }) => {
  if (status === 'cancelled') return <Ban size={size} aria-hidden="true" />
  if (status === 'tentative') return <CircleHelp size={size} aria-hidden="true" />
  return null
}

interface ChipProps {
  shown: Shown
  /** A block among the hours, a bar across days, or a line in a day. */
  form: 'block' | 'bar' | 'line'
  /** What it is called when it is heard: with its day, its time and how it stands. */
  label: string
  time: string | null
  style?: CSSProperties
  /** It goes on beyond what is drawn. */
  from?: boolean
  to?: boolean
  /** Only one line has room in it. */
  short?: boolean
  ghost?: boolean
  carried?: boolean
  onOpen: () => void
  onPress?: (down: PointerEvent) => void
  onStretch?: (down: PointerEvent) => void
  onKey?: (event: KeyboardEvent) => void
  onBlur?: () => void
}

export const Chip = (props: ChipProps) => {
  const { shown, form, label, time, style, ghost = false, carried = false } = props
  const { event } = shown
  const look = {
    className: 'chip',
    style,
    'data-form': form,
    'data-status': event.status,
    'data-free': !event.busy,
    'data-from': props.from ?? false,
    'data-to': props.to ?? false,
    'data-short': props.short ?? false,
    'data-carried': carried,
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
        {form === 'block' && time !== null && <span className="chip-time">{time}</span>}
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
      title={form === 'block' ? undefined : `${time === null ? '' : `${time} `}${event.title}`}
      onClick={props.onOpen}
      onPointerDown={props.onPress}
      onKeyDown={props.onKey}
      onBlur={props.onBlur}
    >
      <span className="only-heard">{label}</span>
      {inside}
      {props.onStretch && <span className="chip-grip" aria-hidden="true" onPointerDown={props.onStretch} />}
    </button>
  )
}
