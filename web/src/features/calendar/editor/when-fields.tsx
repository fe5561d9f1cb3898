import { useMemo } from 'react'
import { ComboboxField } from '../../../ui/combobox-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { haveSameOffsets, toCityName } from '../../../ui/time-zone.ts'
import { listTimeZones } from '../../../ui/time-zones.ts'
import { momentOf } from '../days.ts'
import { bodyOf, type Draft, withTimes } from './draft.ts'

interface WhenProps {
  draft: Draft
  onChange: (draft: Draft) => void
  /** The user's time zone. */
  timezone: string
  hours: (start: string, end: string) => string
}

/** The time of the event in the user's time zone, if that differs. */
const ownTime = ({ draft, timezone, hours }: WhenProps): string | null => {
  if (draft.allDay || haveSameOffsets(draft.timezone, timezone)) return null
  try {
    const { start, end } = bodyOf(draft)
    if (!start || !end) return null
    const day = momentOf(start, timezone).toPlainDate().toString()
    const off =
      day === draft.startDay ? '' : ` (${day < draft.startDay ? 'the day before' : 'the day after'})`
    return `${hours(start, end)} in ${toCityName(timezone)}${off}`
  } catch {
    return null
  }
}

const DateTimeField = ({
  draft,
  onChange,
  end,
}: Pick<WhenProps, 'draft' | 'onChange'> & { end: 'start' | 'end' }) => {
  const label = end === 'start' ? 'Starts' : 'Ends'
  const [day, time] =
    end === 'start' ? (['startDay', 'startTime'] as const) : (['endDay', 'endTime'] as const)
  return (
    <Field name={end} label={label}>
      {({ onInput, ...control }) => (
        <div className="when">
          <input
            className="input"
            type="date"
            required
            min="1000-01-01"
            max="9989-12-31"
            value={draft[day]}
            {...control}
            onChange={(event) => {
              onInput()
              onChange(withTimes(draft, { [day]: event.target.value }))
            }}
          />
          {!draft.allDay && (
            <input
              className="input"
              type="time"
              required
              name={time}
              aria-label={`${label}, time`}
              value={draft[time]}
              onChange={(event) => {
                onInput()
                onChange(withTimes(draft, { [time]: event.target.value }))
              }}
            />
          )}
        </div>
      )}
    </Field>
  )
}

export const WhenFields = (props: WhenProps) => {
  const { draft, onChange } = props
  const zones = useMemo(() => listTimeZones(draft.timezone), [draft.timezone])
  const own = ownTime(props)
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.allDay}
          onChange={(event) => onChange({ ...draft, allDay: event.target.checked })}
        />
        <span>All day</span>
      </label>
      <div className="editor-pair">
        <DateTimeField draft={draft} onChange={onChange} end="start" />
        <DateTimeField draft={draft} onChange={onChange} end="end" />
      </div>
      <ComboboxField
        name="timezone"
        label="Time zone"
        {...(own !== null && { hint: own })}
        choices={zones}
        defaultValue={draft.timezone}
        onChange={(timezone) => onChange({ ...draft, timezone })}
      />
    </>
  )
}
