import { useMemo } from 'react'
import type { Versioned } from '../../../api/client.ts'
import { useDismissedTimeZone } from '../../../shell/dismissed-time-zone.ts'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { ComboboxField } from '../../../ui/combobox-field.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { listTimeZones } from '../../../ui/time-zones.ts'
import { nameOf, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'
import { listLocales } from './locales.ts'
import { type Preferences, usePreferencesForm } from './save-preferences.ts'

export const DatesForm = ({ current }: { current: Versioned<Preferences> }) => {
  const editing = usePreferencesForm({
    current,
    part: ({ timezone, locale, weekStart }) => ({ timezone, locale, weekStart }),
    toastText: 'Your preferences are saved.',
  })
  const { timezone, locale, weekStart } = editing.base
  const { dismiss } = useDismissedTimeZone()
  const zones = useMemo(() => listTimeZones(timezone), [timezone])
  const locales = useMemo(() => listLocales(locale), [locale])

  const save = async (values: FormData) => {
    const chosen = String(values.get('timezone') || timezone)
    // A deliberate choice dismisses the prompt about the browser's time zone.
    if (chosen !== timezone) dismiss()
    await editing.save({
      timezone: chosen,
      locale: String(values.get('locale') || locale),
      weekStart: String(values.get('weekStart')) as Weekday,
    })
  }
  return (
    <Form key={editing.generation} label="Dates and times" onTouch={editing.touch} onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`There it is ${editing.conflict.theirs.value.timezone}, ${editing.conflict.theirs.value.locale}, with weeks from ${nameOf(editing.conflict.theirs.value.weekStart)}.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <ComboboxField
        name="timezone"
        label="Time zone"
        hint="Type a city or a continent."
        choices={zones}
        defaultValue={timezone}
        onChange={editing.touch}
      />
      <ComboboxField
        name="locale"
        label="Language and region"
        hint="Dates, times and numbers are written this way. The console itself speaks English."
        choices={locales}
        defaultValue={locale}
        onChange={editing.touch}
      />
      <SelectField name="weekStart" label="The week starts on" defaultValue={weekStart}>
        {WEEKDAYS.map((day) => (
          <option key={day} value={day}>
            {nameOf(day)}
          </option>
        ))}
      </SelectField>
      <div className="form-actions">
        <Submit>Save preferences</Submit>
      </div>
    </Form>
  )
}
