import { useMemo } from 'react'
import { usePreferences } from '../../../api/account.ts'
import type { Versioned } from '../../../api/client.ts'
import { useDismissedTimeZone } from '../../../shell/dismissed-time-zone.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { type Choice, ComboboxField } from '../../../ui/combobox-field.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { listTimeZones } from '../../../ui/time-zones.ts'
import { nameOf, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'
import { HoursForm } from './hours-form.tsx'
import { type Preferences, usePreferencesForm } from './save-preferences.ts'

const TAGS =
  `af am ar ar-AE ar-EG ar-MA ar-SA bg bn ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-IE en-IN
en-NZ en-US en-ZA es es-AR es-CL es-CO es-MX et eu fa fi fil fr fr-BE fr-CA fr-CH ga gl gu he hi hr hu hy id is it
it-CH ja ka kk km kn ko lt lv mk ml mn mr ms mt my nb ne nl nl-BE nn pa pl pt pt-BR pt-PT ro ru sk sl sq sr sv sv-FI sw
ta te th tr uk ur uz vi zh zh-CN zh-HK zh-TW zu`.split(/\s+/)

const sentence = (text: string, tag: string): string =>
  text.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase(tag))

/** Locales with their native names and an example of their date format. */
const listLocales = (own: string, now = new Date()): Choice[] => {
  const english = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  return [...new Set([...Intl.DateTimeFormat.supportedLocalesOf(TAGS), own])]
    .map((value) => {
      const names = new Intl.DisplayNames(value, { type: 'language', languageDisplay: 'standard' })
      return {
        value,
        label: sentence(names.of(value) ?? value, value),
        keywords: english.of(value) ?? '',
        note: new Intl.DateTimeFormat(value, { dateStyle: 'short', timeStyle: 'short' }).format(now),
      }
    })
    .sort((one, other) => one.label.localeCompare(other.label))
}

const DatesForm = ({ current }: { current: Versioned<Preferences> }) => {
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

export const PreferencesSection = () => {
  const query = usePreferences()
  return (
    <Page title="Preferences" within="Settings" about="How your days and dates are laid out.">
      <Card id="dates" title="Dates and times">
        <Loaded query={query} lines={6}>
          {(preferences) => <DatesForm current={preferences} />}
        </Loaded>
      </Card>
      <Card
        id="hours"
        title="Working hours"
        about="By the clock on your wall. A day may have several, or none."
      >
        <Loaded query={query} lines={8}>
          {(preferences) => <HoursForm current={preferences} />}
        </Loaded>
      </Card>
    </Page>
  )
}
