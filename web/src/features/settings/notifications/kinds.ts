import type { Kind } from '../../../api/notifications.ts'

interface Group {
  label: string
  kinds: readonly { kind: Kind; label: string }[]
}

/** Notification kinds in the order of the table. */
export const GROUPS: readonly Group[] = [
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
export const ALWAYS_IN_CONSOLE: readonly Kind[] = ['sign_in', 'security']
