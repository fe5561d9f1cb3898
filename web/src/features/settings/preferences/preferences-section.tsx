import { useMemo } from 'react'
import * as t from '#locale/account-settings'
import { language as consoleLanguage } from '#locale/language'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import { usePreferences } from '../../../api/account.ts'
import type { Versioned } from '../../../api/client.ts'
import { followAccountLanguage } from '../../../locales/languages.ts'
import { useDismissedTimeZone } from '../../../shell/dismissed-time-zone.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { type Choice, ComboboxField } from '../../../ui/combobox-field.tsx'
import { Options, SelectField, TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { listTimeZones } from '../../../ui/time-zones.ts'
import { VersionedForm } from '../../../ui/versioned-form.tsx'
import { nameOf, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'
import { HoursForm } from './hours-form.tsx'
import { type Preferences, usePreferencesForm } from './save-preferences.ts'

/** The languages of the console with the regions whose formats people use with them. */
const LOCALES =
  `en-US en-GB en-AU en-CA en-IE en-IN en-NZ en-ZA en-AT en-BE en-CH en-DE en-DK en-FI en-NL en-SE
de-DE de-AT de-CH de-BE de-IT de-LI de-LU`.split(/\s+/)

const capitalize = (text: string, tag: string): string =>
  text.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase(tag))

/** Locales with their native names and an example of their date format. Includes a saved locale of any language. */
const listLocales = (saved: string, now = new Date()): Choice[] => {
  const names = new Intl.DisplayNames(consoleLanguage, { type: 'language', languageDisplay: 'standard' })
  return [...new Set([...LOCALES, saved])].map((value) => {
    const nativeNames = new Intl.DisplayNames(value, { type: 'language', languageDisplay: 'standard' })
    return {
      value,
      label: capitalize(nativeNames.of(value) ?? value, value),
      keywords: names.of(value) ?? '',
      note: new Intl.DateTimeFormat(value, { dateStyle: 'short', timeStyle: 'short' }).format(now),
    }
  })
}

const { label, about, cards } = sections.preferences

const DatesForm = ({ current }: { current: Versioned<Preferences> }) => {
  const editing = usePreferencesForm({
    current,
    part: ({ timezone, locale, weekStart }) => ({ timezone, locale, weekStart }),
    toastText: t.preferencesSaved,
  })
  const { timezone, locale, weekStart } = editing.base
  const { dismiss } = useDismissedTimeZone()
  const zones = useMemo(() => listTimeZones(timezone), [timezone])
  const locales = useMemo(() => listLocales(locale), [locale])

  const save = async (values: FormData) => {
    const chosen = String(values.get('timezone') || timezone)
    // A deliberate choice dismisses the prompt about the browser's time zone.
    if (chosen !== timezone) dismiss()
    const chosenLocale = String(values.get('locale') || locale)
    const isSaved = await editing.save({
      timezone: chosen,
      locale: chosenLocale,
      weekStart: String(values.get('weekStart')) as Weekday,
    })
    // The frame waits while the page has unsaved input, and the search text of the list counts as such.
    if (isSaved) followAccountLanguage(chosenLocale)
  }
  return (
    <VersionedForm
      editing={editing}
      label={cards.dates.label}
      describeSaved={(saved) => t.savedPreferencesAre({ ...saved, weekStart: nameOf(saved.weekStart) })}
      onSubmit={save}
    >
      <ComboboxField
        name="locale"
        label={t.language}
        hint={t.languageHint}
        choices={locales}
        defaultValue={locale}
        onChange={editing.touch}
      />
      <ComboboxField
        name="timezone"
        label={t.timeZone}
        hint={t.timeZoneHint}
        choices={zones}
        defaultValue={timezone}
        onChange={editing.touch}
      />
      <SelectField name="weekStart" label={t.weekStart} defaultValue={weekStart}>
        <Options entries={WEEKDAYS.map((day) => [day, nameOf(day)])} />
      </SelectField>
    </VersionedForm>
  )
}

const CallsForm = ({ current }: { current: Versioned<Preferences> }) => {
  const editing = usePreferencesForm({
    current,
    part: ({ conferencingLink }) => ({ conferencingLink }),
    toastText: t.conferencingLinkSaved,
  })
  const save = async (values: FormData) => {
    await editing.save({ conferencingLink: String(values.get('conferencingLink')).trim() || null })
  }
  return (
    <VersionedForm
      editing={editing}
      label={cards.calls.label}
      describeSaved={(saved) => t.savedConferencingLinkIs(saved.conferencingLink)}
      onSubmit={save}
    >
      <TextField
        name="conferencingLink"
        label={t.conferencingLink}
        hint={t.conferencingLinkHint}
        type="url"
        placeholder="https://meet.example.org/{random}"
        maxLength={1000}
        defaultValue={editing.base.conferencingLink ?? ''}
        onChange={editing.touch}
      />
    </VersionedForm>
  )
}

export const PreferencesSection = () => {
  const query = usePreferences()
  return (
    <Page title={label} within={common.settings} about={about}>
      <Card id="dates" title={cards.dates.label}>
        <Loaded query={query} lines={6}>
          {(preferences) => <DatesForm current={preferences} />}
        </Loaded>
      </Card>
      <Card id="hours" title={cards.hours.label} about={t.workingHoursAbout}>
        <Loaded query={query} lines={8}>
          {(preferences) => <HoursForm current={preferences} />}
        </Loaded>
      </Card>
      <Card id="calls" title={cards.calls.label}>
        <Loaded query={query} lines={3}>
          {(preferences) => <CallsForm current={preferences} />}
        </Loaded>
      </Card>
    </Page>
  )
}
