import { useId } from 'react'
import type { Shape } from '../../../api/client.ts'
import { FieldError } from '../../../ui/field.tsx'
import { useFormState } from '../../../ui/form.tsx'

export type EventChoice = Shape<'Webhook'>['events'][number]

interface Group {
  label: string
  events: readonly { type: Exclude<EventChoice, '*'>; label: string }[]
}

const GROUPS: readonly Group[] = [
  {
    label: 'Mail',
    events: [
      { type: 'email.received', label: 'arrived' },
      { type: 'email.analyzed', label: 'analysed' },
    ],
  },
  {
    label: 'Tasks',
    events: [
      { type: 'task.created', label: 'created' },
      { type: 'task.updated', label: 'changed' },
      { type: 'task.completed', label: 'done' },
      { type: 'task.due', label: 'due' },
      { type: 'task.deleted', label: 'deleted' },
    ],
  },
  {
    label: 'Calendar',
    events: [
      { type: 'event.created', label: 'created' },
      { type: 'event.updated', label: 'changed' },
      { type: 'event.cancelled', label: 'cancelled' },
      { type: 'event.starting', label: 'about to start' },
    ],
  },
  { label: 'Bookings', events: [{ type: 'booking.synced', label: 'brought in step' }] },
  {
    label: 'Stream',
    events: [
      { type: 'stream.started', label: 'started' },
      { type: 'stream.stopped', label: 'stopped' },
      { type: 'stream.milestone_reached', label: 'milestone reached' },
    ],
  },
  { label: 'Notifications', events: [{ type: 'notification.created', label: 'told you' }] },
]

export const inWords = (events: readonly EventChoice[]): string =>
  events.includes('*')
    ? 'everything'
    : GROUPS.flatMap(({ label, events: known }) => {
        const chosen = known.filter(({ type }) => events.includes(type))
        if (chosen.length === 0) return []
        return chosen.length === known.length
          ? `all of ${label}`
          : `${label}: ${chosen.map((event) => event.label).join(', ')}`
      }).join(' · ')

interface EventsFieldProps {
  chosen: readonly EventChoice[]
  onChange: (change: (chosen: EventChoice[]) => EventChoice[]) => void
}

export const EventsField = ({ chosen, onChange }: EventsFieldProps) => {
  const { errors, clear } = useFormState()
  const error = errors.events
  const errorId = useId()
  const everything = chosen.includes('*')
  const toggle = (type: EventChoice, isOn: boolean): void => {
    clear('events')
    onChange((current) => (isOn ? [...current, type] : current.filter((each) => each !== type)))
  }
  const box = (type: EventChoice, label: string, accessibleName: string, disabled = false) => (
    <label key={type}>
      <input
        type="checkbox"
        name="events"
        value={type}
        aria-label={accessibleName}
        checked={chosen.includes(type)}
        disabled={disabled}
        onChange={(event) => toggle(type, event.target.checked)}
      />
      {label}
    </label>
  )
  return (
    <fieldset className="field event-choice" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="field-label">What it is told</legend>
      {box('*', 'Everything, also what is added later', 'Everything')}
      {GROUPS.map(({ label, events }) => (
        <div key={label}>
          <span>{label}</span>
          {events.map((event) => box(event.type, event.label, `${label} ${event.label}`, everything))}
        </div>
      ))}
      {error !== undefined && <FieldError id={errorId} label="What it is told" message={error} />}
    </fieldset>
  )
}
