import { useMemo } from 'react'
import * as t from '#locale/event-editor'
import { ComboboxField } from '../../../ui/combobox-field.tsx'
import { DateField, TimeField } from '../../../ui/date-time-input.tsx'
import { CheckField } from '../../../ui/field.tsx'
import { haveSameOffsets, toCityName } from '../../../ui/time-zone.ts'
import { listTimeZones } from '../../../ui/time-zones.ts'
import { momentOf } from '../days.ts'
import { bodyOf, type Draft, withTimes } from './draft.ts'
import './when-fields.css'

interface DraftProps {
  draft: Draft
  onChange: (draft: Draft) => void
}

interface WhenProps extends DraftProps {
  /** The user's time zone. */
  timezone: string
  hours: (start: string, end: string) => string
}

/** The time of the event in the user's time zone, if that differs. */
const describeOwnTime = ({ draft, timezone, hours }: WhenProps): string | null => {
  if (draft.allDay || haveSameOffsets(draft.timezone, timezone)) return null
  const { start, end } = bodyOf(draft)
  if (!start || !end) return null
  const day = momentOf(start, timezone).toPlainDate().toString()
  const value = { hours: hours(start, end), city: toCityName(timezone) }
  if (day === draft.startDay) return t.timeInCity(value)
  return day < draft.startDay ? t.timeInCityDayBefore(value) : t.timeInCityDayAfter(value)
}

/** Start and end of an event, in its time zone. */
export const DateTimeFields = ({ draft, onChange }: DraftProps) => {
  const set = (change: Partial<Draft>) => onChange(withTimes(draft, change))
  return (
    <>
      <CheckField
        checked={draft.allDay}
        onChange={(event) => onChange({ ...draft, allDay: event.target.checked })}
        label={t.allDay}
      />
      <div className="when-pair">
        <div className="when">
          <DateField
            name="start"
            label={t.start}
            value={draft.startDay}
            onChange={(startDay) => set({ startDay })}
          />
          {!draft.allDay && (
            <TimeField
              name="startTime"
              label={t.startTime}
              value={draft.startTime}
              onChange={(startTime) => set({ startTime })}
            />
          )}
        </div>
        <div className="when">
          <DateField
            name="end"
            label={t.end}
            value={draft.endDay}
            min={draft.startDay}
            onChange={(endDay) => set({ endDay })}
          />
          {!draft.allDay && (
            <TimeField
              name="endTime"
              label={t.endTime}
              value={draft.endTime}
              onChange={(endTime) => set({ endTime })}
            />
          )}
        </div>
      </div>
    </>
  )
}

export const WhenFields = (props: WhenProps) => {
  const { draft, onChange } = props
  const zones = useMemo(() => listTimeZones(draft.timezone), [draft.timezone])
  const ownTime = describeOwnTime(props)
  return (
    <>
      <DateTimeFields draft={draft} onChange={onChange} />
      <ComboboxField
        name="timezone"
        label={t.timeZone}
        {...(ownTime !== null && { hint: ownTime })}
        choices={zones}
        defaultValue={draft.timezone}
        onChange={(timezone) => onChange({ ...draft, timezone })}
      />
    </>
  )
}
