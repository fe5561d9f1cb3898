import { useState } from 'react'
import type { Versioned } from '../../../api/client.ts'
import type { Kind } from '../../../api/notifications.ts'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { type Settings, useSettingsForm } from './save-settings.ts'

interface Group {
  label: string
  kinds: readonly { kind: Kind; label: string }[]
}

/** Notification kinds in the order of the table. */
const GROUPS: readonly Group[] = [
  {
    label: 'Your day',
    kinds: [
      { kind: 'event_starting', label: 'An event starts' },
      { kind: 'task_due', label: 'A task is due' },
      { kind: 'action_waiting', label: 'The assistant waits for your confirmation' },
    ],
  },
  {
    label: 'Mail',
    kinds: [
      { kind: 'mail_urgent', label: 'An e-mail is found urgent' },
      { kind: 'mail_received', label: 'An e-mail arrives' },
    ],
  },
  {
    label: 'Calendar',
    kinds: [
      { kind: 'invitation_updated', label: 'An organizer moves, changes or cancels an event' },
      { kind: 'invitation_answered', label: 'A guest replies to your invitation' },
      { kind: 'calendar_conflict', label: 'A calendar server replaces your changes' },
    ],
  },
  {
    label: 'Bookings',
    kinds: [
      { kind: 'booking_made', label: 'Somebody books you' },
      { kind: 'booking_changed', label: 'A booking is moved' },
      { kind: 'booking_cancelled', label: 'A booking is cancelled' },
    ],
  },
  { label: 'Stream', kinds: [{ kind: 'milestone_reached', label: 'A milestone is reached' }] },
  {
    label: 'Service',
    kinds: [
      { kind: 'mail_account_failing', label: 'A mail account cannot be reached' },
      { kind: 'calendar_account_failing', label: 'A calendar account cannot be reached' },
      { kind: 'webhook_disabled', label: 'A webhook was turned off' },
      { kind: 'job_parked', label: 'A background job was given up' },
      { kind: 'budget_reached', label: 'A budget is reached' },
    ],
  },
  {
    label: 'Account',
    kinds: [
      { kind: 'sign_in', label: 'A sign-in from somewhere new' },
      { kind: 'security', label: 'Password, tokens and two-step sign-in' },
    ],
  },
]

/** Kinds that cannot be turned off in the console. */
const ALWAYS_IN_CONSOLE: readonly Kind[] = ['sign_in', 'security']

type Kinds = Settings['kinds']
type Channels = Kinds[Kind]

interface RowProps {
  kind: Kind
  label: string
  channels: Channels
  onChange: (change: Partial<Channels>) => void
}

const KindRow = ({ kind, label, channels, onChange }: RowProps) => {
  const isAlways = ALWAYS_IN_CONSOLE.includes(kind)
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <label>
          <input
            type="checkbox"
            aria-label={`${label}: in the console`}
            checked={channels.console}
            disabled={isAlways}
            onChange={(event) => onChange({ console: event.target.checked })}
          />
        </label>
      </td>
      <td>
        <select
          className="input"
          aria-label={`${label}: by e-mail`}
          value={channels.email}
          onChange={(event) => onChange({ email: event.target.value as Channels['email'] })}
        >
          <option value="off">Off</option>
          <option value="now">At once</option>
          <option value="digest">Digest</option>
        </select>
      </td>
      <td>
        <label>
          <input
            type="checkbox"
            aria-label={`${label}: by webhook`}
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
    toastText: 'Notification settings saved.',
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
  const save = async () => {
    await editing.save({ kinds: draft })
  }
  return (
    <Form key={editing.generation} label="Notification types" onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs="There other ways were chosen."
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <table className="kinds">
        <thead>
          <tr>
            <th scope="col">
              <span className="only-heard">What happens</span>
            </th>
            <th scope="col">Console</th>
            <th scope="col">E-mail</th>
            <th scope="col">Webhook</th>
          </tr>
        </thead>
        {GROUPS.map(({ label: group, kinds }) => (
          <tbody key={group}>
            <tr className="kinds-group">
              <th scope="rowgroup" colSpan={4}>
                {group}
              </th>
            </tr>
            {kinds.map(({ kind, label }) => (
              <KindRow
                key={kind}
                kind={kind}
                label={label}
                channels={draft[kind]}
                onChange={(channels) => change(kind, channels)}
              />
            ))}
          </tbody>
        ))}
      </table>
      <div className="form-actions">
        <Submit>Save notification types</Submit>
      </div>
    </Form>
  )
}
