import * as t from '#locale/calendars'
import type { Calendar } from '../../../api/calendars.ts'
import { SelectField } from '../../../ui/field.tsx'

interface CalendarFieldProps {
  /** The calendars to choose from. */
  calendars: readonly Calendar[]
  value: number | null
  onChange: (calendarId: number) => void
}

const Options = ({ calendars }: { calendars: readonly Calendar[] }) =>
  calendars.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))

/** Selects the calendar of an event. Nothing if there is no choice. */
export const CalendarField = ({ calendars, value, onChange }: CalendarFieldProps) => {
  if (calendars.length < 2) return null
  const own = calendars.filter(({ owner }) => owner === null)
  const owners = new Map(
    calendars.flatMap(({ owner }) => (owner === null ? [] : [[owner.email, owner.name]])),
  )
  return (
    <SelectField
      name="calendarId"
      label={t.calendar}
      value={value ?? ''}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      <Options calendars={own} />
      {[...owners].map(([email, name]) => (
        <optgroup key={email} label={name}>
          <Options calendars={calendars.filter(({ owner }) => owner?.email === email)} />
        </optgroup>
      ))}
    </SelectField>
  )
}
