/** How mail of a kind goes: not at all, when it happens, or gathered into the digest. */
export const MAIL_CHOICES = ['off', 'now', 'digest'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]

/** The ways by which one is told of a kind. */
export interface Channels {
  console: boolean
  email: MailChoice
  webhook: boolean
}

interface KindFacts {
  defaults: Channels
  /** About the account itself: always in the console, and quiet hours need not hold it back. */
  isSecurity?: true
}

const silent: Channels = { console: false, email: 'off', webhook: false }
const shown: Channels = { console: true, email: 'off', webhook: false }
/** What goes wrong unseen, and gets worse. */
const mailed: Channels = { console: true, email: 'now', webhook: false }

/** What a person can be told of. */
const FACTS = {
  event_starting: { defaults: shown },
  task_due: { defaults: shown },
  mail_received: { defaults: silent },
  mail_urgent: { defaults: shown },
  invitation_updated: { defaults: shown },
  invitation_answered: { defaults: shown },
  calendar_conflict: { defaults: shown },
  booking_made: { defaults: shown },
  booking_changed: { defaults: shown },
  booking_cancelled: { defaults: shown },
  action_waiting: { defaults: shown },
  milestone_reached: { defaults: shown },
  webhook_disabled: { defaults: mailed },
  mail_account_failing: { defaults: mailed },
  calendar_account_failing: { defaults: mailed },
  job_parked: { defaults: shown },
  budget_reached: { defaults: mailed },
  sign_in: { defaults: mailed, isSecurity: true },
  security: { defaults: mailed, isSecurity: true },
} as const satisfies Record<string, KindFacts>

export type Kind = keyof typeof FACTS

export const KINDS = Object.keys(FACTS) as Kind[]

const factsOf = (kind: Kind): KindFacts => FACTS[kind]

export const defaultsOf = (kind: Kind): Channels => factsOf(kind).defaults

export const isSecurity = (kind: Kind): boolean => factsOf(kind).isSecurity === true
