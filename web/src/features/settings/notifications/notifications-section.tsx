import { MailX, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/notification-settings'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import type { Versioned } from '../../../api/client.ts'
import { useNotificationSettings } from '../../../api/notifications.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { CheckField, Options, SelectField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { OptionalTimeField, useDateTimeText } from '../../../ui/optional-date-time.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { toCityName } from '../../../ui/time-zone.ts'
import { VersionedForm } from '../../../ui/versioned-form.tsx'
import { nameOf, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'
import { KindsForm } from './kinds-form.tsx'
import { type Settings, useSettingsForm } from './save-settings.ts'
import './notifications.css'

const { label, cards } = sections.notifications

/** Reads a time field of a submitted form. */
const useReadTime = () => {
  const { parseTime } = useDateTimeText()
  return (values: FormData, name: string, otherwise: string): string =>
    parseTime(String(values.get(name) ?? '')) ?? otherwise
}

const QuietHoursForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ quietHours }) => ({ quietHours }),
    toastText: t.quietHoursSaved,
  })
  const { enabled, start, end, securityPasses } = editing.base.quietHours
  const readTime = useReadTime()
  const save = (values: FormData) =>
    editing.save({
      quietHours: {
        enabled: values.has('enabled'),
        start: readTime(values, 'quietHours.start', start),
        end: readTime(values, 'quietHours.end', end),
        securityPasses: values.has('securityPasses'),
      },
    })
  return (
    <VersionedForm
      editing={editing}
      label={t.quietHours}
      describeSaved={({ quietHours }) => t.savedQuietHoursAre(quietHours)}
      onSubmit={save}
    >
      <CheckField name="enabled" defaultChecked={enabled} label={t.enableQuietHours} />
      <div className="field-pair">
        <OptionalTimeField required name="quietHours.start" label={t.from} defaultValue={start} />
        <OptionalTimeField required name="quietHours.end" label={t.until} defaultValue={end} />
      </div>
      <p className="field-hint">{t.quietHoursZone(toCityName(current.value.timezone))}</p>
      <CheckField name="securityPasses" defaultChecked={securityPasses} label={t.alwaysSecurity} />
    </VersionedForm>
  )
}

type Frequency = Settings['digest']['frequency']

const DigestForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ digest }) => ({ digest }),
    toastText: t.digestSaved,
  })
  const { frequency, time, weekday } = editing.base.digest
  const readTime = useReadTime()
  const [{ generation, chosen }, setState] = useState({ generation: editing.generation, chosen: frequency })
  const setChosen = (next: Frequency) => setState({ generation: editing.generation, chosen: next })
  if (generation !== editing.generation) setChosen(frequency)
  const save = (values: FormData) =>
    editing.save({
      digest: {
        frequency: String(values.get('digest.frequency')) as Frequency,
        time: readTime(values, 'digest.time', time),
        weekday: String(values.get('digest.weekday') ?? weekday) as Weekday,
      },
    })
  return (
    <VersionedForm
      editing={editing}
      label={t.digest}
      describeSaved={({ digest }) =>
        t.savedDigestIs({ ...digest, frequency: t.frequencies[digest.frequency] })
      }
      onSubmit={save}
    >
      <SelectField
        name="digest.frequency"
        label={t.frequency}
        defaultValue={frequency}
        onChange={(event) => setChosen(event.target.value as Frequency)}
      >
        <option value="off">{t.frequencies.off}</option>
        <option value="daily">{t.frequencies.daily}</option>
        <option value="weekly">{t.frequencies.weekly}</option>
      </SelectField>
      {chosen !== 'off' && (
        <div className="field-pair">
          {chosen === 'weekly' && (
            <SelectField name="digest.weekday" label={t.weekday} defaultValue={weekday}>
              <Options entries={WEEKDAYS.map((day) => [day, nameOf(day)])} />
            </SelectField>
          )}
          <OptionalTimeField required name="digest.time" label={t.time} defaultValue={time} />
        </div>
      )}
    </VersionedForm>
  )
}

/** Warns about selected channels that are not configured. */
const ChannelWarnings = ({ settings: { kinds, email, webhooks } }: { settings: Settings }) => {
  const wanted = Object.values(kinds)
  return (
    <>
      {!email.ready && wanted.some((channels) => channels.email !== 'off') && (
        <Notice tone="warn" icon={MailX}>
          <RichText
            text={t.noSender}
            tags={{ link: (text) => <Link href="/settings/mail-accounts">{text}</Link> }}
          />
        </Notice>
      )}
      {webhooks.endpoints === 0 && wanted.some(({ webhook }) => webhook) && (
        <Notice tone="warn" icon={Webhook}>
          <RichText
            text={t.noWebhook}
            tags={{ link: (text) => <Link href="/settings/webhooks">{text}</Link> }}
          />
        </Notice>
      )}
    </>
  )
}

export const NotificationsSection = () => {
  const query = useNotificationSettings()
  const settings = query.data?.value
  return (
    <Page title={label} within={common.settings} about={t.about}>
      <Card
        id="kinds"
        title={cards.kinds.label}
        about={
          settings?.email.ready
            ? t.emailsFromTo({ from: settings.email.from ?? '', to: settings.email.to })
            : t.emailsToYou
        }
      >
        <Loaded query={query} lines={12}>
          {(current) => (
            <>
              <ChannelWarnings settings={current.value} />
              <KindsForm current={current} />
            </>
          )}
        </Loaded>
      </Card>
      <Card id="quiet-hours" title={cards['quiet-hours'].label} about={t.quietHoursAbout}>
        <Loaded query={query} lines={4}>
          {(current) => <QuietHoursForm current={current} />}
        </Loaded>
      </Card>
      <Card id="digest" title={cards.digest.label} about={t.digestAbout}>
        <Loaded query={query} lines={3}>
          {(current) => <DigestForm current={current} />}
        </Loaded>
      </Card>
    </Page>
  )
}
