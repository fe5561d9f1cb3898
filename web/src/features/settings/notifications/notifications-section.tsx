import { MailX, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Versioned } from '../../../api/client.ts'
import { useNotificationSettings } from '../../../api/notifications.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { nameOf, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'
import { KindsForm } from './kinds-form.tsx'
import { type Settings, useSettingsForm } from './save-settings.ts'
import './notifications.css'

const timeFrom = (values: FormData, name: string, otherwise: string): string =>
  String(values.get(name) || otherwise).slice(0, 5)

const QuietHoursForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ quietHours }) => ({ quietHours }),
    toastText: 'Your quiet hours are saved.',
  })
  const { enabled, start, end, securityPasses } = editing.base.quietHours
  const save = async (values: FormData) => {
    await editing.save({
      quietHours: {
        enabled: values.has('enabled'),
        start: timeFrom(values, 'quietHours.start', start),
        end: timeFrom(values, 'quietHours.end', end),
        securityPasses: values.has('securityPasses'),
      },
    })
  }
  return (
    <Form key={editing.generation} label="Quiet hours" onTouch={editing.touch} onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`There they are from ${editing.conflict.theirs.value.quietHours.start} to ${editing.conflict.theirs.value.quietHours.end}.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <label className="check">
        <input type="checkbox" name="enabled" defaultChecked={enabled} />
        <span>Keep quiet every day between these hours</span>
      </label>
      <div className="field-pair">
        <TextField type="time" required name="quietHours.start" label="From" defaultValue={start} />
        <TextField type="time" required name="quietHours.end" label="Until" defaultValue={end} />
      </div>
      <label className="check">
        <input type="checkbox" name="securityPasses" defaultChecked={securityPasses} />
        <span>Tell me all the same of what concerns my account</span>
      </label>
      <div className="form-actions">
        <Submit>Save quiet hours</Submit>
      </div>
    </Form>
  )
}

type Frequency = Settings['digest']['frequency']

const DigestForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ digest }) => ({ digest }),
    toastText: 'Your digest is saved.',
  })
  const { frequency, time, weekday } = editing.base.digest
  const [{ generation, chosen }, setState] = useState({ generation: editing.generation, chosen: frequency })
  const setChosen = (next: Frequency) => setState({ generation: editing.generation, chosen: next })
  if (generation !== editing.generation) setChosen(frequency)
  const save = async (values: FormData) => {
    await editing.save({
      digest: {
        frequency: String(values.get('digest.frequency')) as Frequency,
        time: timeFrom(values, 'digest.time', time),
        weekday: String(values.get('digest.weekday') ?? weekday) as Weekday,
      },
    })
  }
  return (
    <Form key={editing.generation} label="Digest" onTouch={editing.touch} onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`There it is ${editing.conflict.theirs.value.digest.frequency}, at ${editing.conflict.theirs.value.digest.time}.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <SelectField
        name="digest.frequency"
        label="How often"
        defaultValue={frequency}
        onChange={(event) => setChosen(event.target.value as Frequency)}
      >
        <option value="off">Never: what is meant for the digest is mailed at once</option>
        <option value="daily">Every day</option>
        <option value="weekly">Once a week</option>
      </SelectField>
      {chosen !== 'off' && (
        <div className="field-pair">
          {chosen === 'weekly' && (
            <SelectField name="digest.weekday" label="On" defaultValue={weekday}>
              {WEEKDAYS.map((day) => (
                <option key={day} value={day}>
                  {nameOf(day)}
                </option>
              ))}
            </SelectField>
          )}
          <TextField type="time" required name="digest.time" label="At" defaultValue={time} />
        </div>
      )}
      <div className="form-actions">
        <Submit>Save digest</Submit>
      </div>
    </Form>
  )
}

/** Warns about selected channels that are not configured. */
const ChannelWarnings = ({ settings: { kinds, email, webhooks } }: { settings: Settings }) => {
  const wanted = Object.values(kinds)
  return (
    <>
      {!email.ready && wanted.some((channels) => channels.email !== 'off') && (
        <Notice tone="warn" icon={MailX}>
          You have no mail account to send with, so what should be mailed is shown in the console instead.{' '}
          <Link href="/settings/mail-accounts">Add a mail account</Link>
        </Notice>
      )}
      {webhooks.endpoints === 0 && wanted.some(({ webhook }) => webhook) && (
        <Notice tone="warn" icon={Webhook}>
          None of your webhooks is told of notifications. <Link href="/settings/webhooks">Choose one</Link>
        </Notice>
      )}
    </>
  )
}

export const NotificationsSection = () => {
  const query = useNotificationSettings()
  const settings = query.data?.value
  return (
    <Page
      title="Notifications"
      within="Settings"
      about="Which notifications you get, by which channels, and your quiet hours."
    >
      <Card
        id="kinds"
        title="Notification types"
        about={
          settings?.email.ready
            ? `Mail goes from ${settings.email.from} to ${settings.email.to}.`
            : 'Mail goes by your own mail account to the address that you sign in with.'
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
      <Card
        id="quiet-hours"
        title="Quiet hours"
        about={`Mail and webhooks wait until they are over, and mail then comes as one.${settings ? ` By the clock in ${settings.timezone}; an end before the start is on the next day.` : ''}`}
      >
        <Loaded query={query} lines={4}>
          {(current) => <QuietHoursForm current={current} />}
        </Loaded>
      </Card>
      <Card
        id="digest"
        title="Digest"
        about="One mail with everything that is meant for it; none when there is nothing."
      >
        <Loaded query={query} lines={3}>
          {(current) => <DigestForm current={current} />}
        </Loaded>
      </Card>
    </Page>
  )
}
