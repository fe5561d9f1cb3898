import { useState } from 'react'
import * as t from '#locale/notification-settings'
import { sections } from '#locale/settings'
import type { Versioned } from '../../../api/client.ts'
import type { Kind } from '../../../api/notifications.ts'
import { VersionedForm } from '../../../ui/versioned-form.tsx'
import { type Settings, useSettingsForm } from './save-settings.ts'

type GroupName = keyof typeof t.kindGroups

/** Notification kinds in the order of the table. */
const GROUPS: Readonly<Record<GroupName, readonly Kind[]>> = {
  day: ['event_starting', 'task_due', 'task_commented', 'commitment_due', 'action_waiting'],
  mail: ['mail_urgent', 'mail_received', 'mail_due', 'mail_conflict'],
  calendar: ['share_offered', 'invitation_updated', 'invitation_answered', 'calendar_conflict'],
  bookings: ['booking_made', 'booking_changed', 'booking_cancelled'],
  stream: ['milestone_reached'],
  service: [
    'mail_account_failing',
    'calendar_account_failing',
    'webhook_disabled',
    'job_parked',
    'backup_failed',
    'budget_reached',
  ],
  account: ['sign_in', 'security'],
}

/** Kinds that cannot be turned off in the console. */
const ALWAYS_IN_CONSOLE: readonly Kind[] = ['sign_in', 'security']

type Kinds = Settings['kinds']
type Channels = Kinds[Kind]

interface RowProps {
  kind: Kind
  channels: Channels
  onChange: (change: Partial<Channels>) => void
}

const KindRow = ({ kind, channels, onChange }: RowProps) => {
  const label = t.kinds[kind]
  const isAlways = ALWAYS_IN_CONSOLE.includes(kind)
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <label>
          <input
            type="checkbox"
            aria-label={t.inConsole(label)}
            checked={channels.console}
            disabled={isAlways}
            onChange={(event) => onChange({ console: event.target.checked })}
          />
        </label>
      </td>
      <td>
        <select
          className="input"
          aria-label={t.byEmail(label)}
          value={channels.email}
          onChange={(event) => onChange({ email: event.target.value as Channels['email'] })}
        >
          <option value="off">{t.emailTimes.off}</option>
          <option value="now">{t.emailTimes.now}</option>
          <option value="digest">{t.emailTimes.digest}</option>
        </select>
      </td>
      <td>
        <label>
          <input
            type="checkbox"
            aria-label={t.byWebhook(label)}
            checked={channels.webhook}
            onChange={(event) => onChange({ webhook: event.target.checked })}
          />
        </label>
      </td>
    </tr>
  )
}

/** Table of notification kinds and channels. */
export const KindsForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ kinds }) => ({ kinds }),
    toastText: t.saved,
  })
  const [{ generation, draft }, setState] = useState(() => ({
    generation: editing.generation,
    draft: editing.base.kinds,
  }))
  if (generation !== editing.generation)
    setState({ generation: editing.generation, draft: editing.base.kinds })
  const change = (kind: Kind, channels: Partial<Channels>) => {
    editing.touch()
    setState({ generation: editing.generation, draft: { ...draft, [kind]: { ...draft[kind], ...channels } } })
  }
  return (
    <VersionedForm
      editing={editing}
      label={sections.notifications.cards.kinds.label}
      isChanged={JSON.stringify(draft) !== JSON.stringify(editing.base.kinds)}
      describeSaved={() => t.savedTypesDiffer}
      onSubmit={() => editing.save({ kinds: draft })}
    >
      <table className="kinds">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t.type}</span>
            </th>
            <th scope="col">{t.channels.console}</th>
            <th scope="col">{t.channels.email}</th>
            <th scope="col">{t.channels.webhook}</th>
          </tr>
        </thead>
        {(Object.keys(GROUPS) as GroupName[]).map((group) => (
          <tbody key={group}>
            <tr className="kinds-group">
              <th scope="rowgroup" colSpan={4}>
                {t.kindGroups[group]}
              </th>
            </tr>
            {GROUPS[group].map((kind) => (
              <KindRow
                key={kind}
                kind={kind}
                channels={draft[kind]}
                onChange={(channels) => change(kind, channels)}
              />
            ))}
          </tbody>
        ))}
      </table>
    </VersionedForm>
  )
}
