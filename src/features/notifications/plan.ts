import type { Insertable } from 'kysely'
import type { NotificationDeliveryRow, NotificationRow } from '../../database/tables/notifications.ts'
import { type Choices, choicesOf, readChoices } from './choices.ts'
import type { Channels } from './kinds.ts'
import { gather, type Occurrence } from './occurrence.ts'
import { bodyOf, titleOf } from './plain-text.ts'
import { type Channel, type Due, dueOf } from './schedule.ts'
import type { NotificationRecord, Person } from './store.ts'

export const NO_ACCOUNT = 'There is no mail account to send with.'

/** How a person is told of something. */
export interface Plan {
  occurrence: Occurrence
  inConsole: boolean
  email: Due | undefined
  webhook: Due | undefined
  /** It should be mailed now, and cannot be: then it is there to be read. */
  isUnmailable: boolean
}

const isWanted = ({ console, email, webhook }: Channels): boolean => console || email !== 'off' || webhook

const planOf = (person: Person, choices: Choices, occurrence: Occurrence, now: Date): Plan => {
  const { kind } = occurrence
  const channels = choices.kinds[kind]
  const due = (channel: Channel): Due => dueOf({ kind, channel, choices, timezone: person.timezone }, now)
  return {
    ...{ occurrence, inConsole: channels.console, isUnmailable: false },
    email: channels.email === 'off' ? undefined : due('email'),
    webhook: channels.webhook ? due('webhook') : undefined,
  }
}

const isFor = ({ whom }: Occurrence, { id, role }: Person): boolean =>
  whom === 'everyone' || (whom === 'owner' ? role === 'owner' : whom.userId === id)

/** What of all this a person wants to be told. */
export const wantedBy = (person: Person, occurrences: readonly Occurrence[]): Occurrence[] => {
  const { kinds } = choicesOf(readChoices(person.chosen))
  return occurrences.filter((occurrence) => isFor(occurrence, person) && isWanted(kinds[occurrence.kind]))
}

/** And how. */
export const plansFor = (person: Person, wanted: readonly Occurrence[], now: Date): Plan[] => {
  const choices = choicesOf(readChoices(person.chosen))
  return gather(wanted).map((occurrence) => planOf(person, choices, occurrence, now))
}

export const isMailedNow = ({ email }: Plan): boolean => email?.heldBy === null

export const unmailable = (plan: Plan): Plan =>
  isMailedNow(plan) ? { ...plan, inConsole: true, isUnmailable: true } : plan

export const rowOf = (
  { occurrence, inConsole }: Plan,
  person: Person,
  now: Date,
): Insertable<NotificationRow> => {
  const { kind, key, link, write, actionId = null } = occurrence
  const { title, body } = write(person)
  return {
    ...{ userId: person.id, key, kind, title: titleOf(title), body: bodyOf(body), link },
    actionId,
    ...{ inConsole: inConsole ? 1 : 0, readAt: null, clearedAt: null, version: 1 },
    createdAt: now.toISOString(),
  }
}

/** Endpoints are told in the same transaction; mail needs a job. */
export const isToldNow = (plan: Plan, channel: Channel): boolean =>
  channel === 'webhook' ? plan.webhook?.heldBy === null : plan.isUnmailable

export const deliveriesOf = (plan: Plan, row: NotificationRecord): Insertable<NotificationDeliveryRow>[] =>
  (['email', 'webhook'] as const).flatMap((channel) => {
    const due = plan[channel]
    if (!due) return []
    const isOver = isToldNow(plan, channel)
    const failed = channel === 'email' && isOver
    return {
      ...{ notificationId: row.id, userId: row.userId, channel, mailId: null },
      ...{ heldBy: due.heldBy, dueAt: due.at.toISOString(), error: failed ? NO_ACCOUNT : null },
      state: failed ? 'failed' : isOver ? 'told' : 'waiting',
      finishedAt: isOver ? row.createdAt : null,
    } satisfies Insertable<NotificationDeliveryRow>
  })

/** The moments at which something of it is to be told. */
export const momentsOf = (plan: Plan): Due[] =>
  (['email', 'webhook'] as const).flatMap((channel) => {
    const due = plan[channel]
    return due && !isToldNow(plan, channel) ? due : []
  })
