import { useId } from 'react'
import * as t from '#locale/webhooks'
import type { Shape } from '../../../api/client.ts'
import { FieldError } from '../../../ui/field.tsx'
import { useFormState } from '../../../ui/form.tsx'

export type EventChoice = Shape<'Webhook'>['events'][number]

const GROUPS: Readonly<Record<keyof typeof t.groups, readonly (keyof typeof t.eventTypes)[]>> = {
  mail: ['email.received', 'email.analyzed', 'email.due'],
  tasks: [
    'task.created',
    'task.updated',
    'task.completed',
    'task.due',
    'task.deleted',
    'task.comment_created',
    'task.comment_updated',
    'task.comment_deleted',
    'task.time_entry_created',
    'task.time_entry_updated',
    'task.time_entry_deleted',
  ],
  calendar: ['event.created', 'event.updated', 'event.cancelled', 'event.starting'],
  bookings: ['booking.synced'],
  stream: ['stream.started', 'stream.stopped', 'stream.milestone_reached'],
  notifications: ['notification.created'],
}
const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[]

export const listEvents = (events: readonly EventChoice[]): string => {
  if (events.includes('*')) return t.everything
  const labels = GROUP_NAMES.flatMap((group) => {
    const chosen = GROUPS[group].filter((type) => events.includes(type))
    return chosen.length > 1 && chosen.length === GROUPS[group].length
      ? t.allOfGroup(t.groups[group])
      : chosen.map((type) => t.eventTypes[type])
  })
  return labels.join(' · ')
}

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
  const box = (type: EventChoice, label: string, disabled = false) => (
    <label key={type}>
      <input
        type="checkbox"
        name="events"
        value={type}
        checked={chosen.includes(type)}
        disabled={disabled}
        onChange={(event) => toggle(type, event.target.checked)}
      />
      {label}
    </label>
  )
  return (
    <fieldset className="field event-choice" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="field-label">{t.events}</legend>
      {box('*', t.everythingLabel)}
      {GROUP_NAMES.map((group) => (
        <div key={group}>
          <span>{t.groups[group]}</span>
          {GROUPS[group].map((type) => box(type, t.eventTypes[type], everything))}
        </div>
      ))}
      {error !== undefined && <FieldError id={errorId} label={t.events} message={error} />}
    </fieldset>
  )
}
