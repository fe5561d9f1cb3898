import type { Insertable } from 'kysely'
import type { NotificationDeliveryRow, NotificationRow } from '../../database/tables/notifications.ts'
import { WEEKDAYS } from '../../platform/time.ts'
import { toInstant, toWall, transitionsBetween } from '../../recurrence/time-zones.ts'
import { type Channels, type DataOf, definitionOf, type Kind } from './kinds.ts'
import { isCombinable, type NotificationData, renderData } from './notification-text.ts'
import { NO_ACCOUNT } from './ports.ts'
import type { NotificationRecord, Person } from './repository.ts'
import { type Choices, choicesOf, type Digest, isSecurity, type QuietHours, readChoices } from './settings.ts'

/** An event that may cause notifications. */
export interface Occurrence<K extends Kind = Kind> {
  kind: K
  data: DataOf<K>
  /** Identifies the occurrence, so that it notifies only once. */
  key: string
  /** `owner` for notices about the instance. */
  whom: 'owner' | { userId: number }
  /** The action that the notification reports. It can be undone. */
  actionId?: number
  emailId?: number
}

/** Checks the data against its kind. */
export const occurrence = <K extends Kind>(kind: K, given: Omit<Occurrence<K>, 'kind'>): Occurrence =>
  ({ kind, ...given }) as unknown as Occurrence

/** A notification to create: an occurrence, or several of a kind. */
interface Notice extends Pick<Occurrence, 'kind' | 'key' | 'actionId'> {
  data: NotificationData
  link: string
}

const noticeOf = ({ kind, key, data, actionId }: Occurrence): Notice => ({
  kind,
  key,
  data,
  link: definitionOf(kind).link(data),
  ...(actionId !== undefined && { actionId }),
})

/** More occurrences of a kind than this at once become one notification. */
const MAX_SEPARATE = 5

const toSection = (link: string): string => link.match(/^\/[a-z]+/)?.[0] ?? link

/** Combines many occurrences of a kind, for example if a hundred bookings are fetched at once. */
export const combine = (occurrences: readonly Occurrence[]): Notice[] =>
  [...Map.groupBy(occurrences, ({ kind }) => kind).values()].flatMap((alike) => {
    const notices = alike.map(noticeOf)
    const [first] = notices
    if (!first || !isCombinable(first.kind) || alike.length <= MAX_SEPARATE) return notices
    return {
      kind: first.kind,
      key: `${first.key}+${alike.length - 1}`,
      data: { count: alike.length, first: notices.slice(0, MAX_SEPARATE).map(({ data }) => data) },
      link: toSection(first.link),
    }
  })

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The day number of Monday, 1970-01-05. */
const A_MONDAY = 4

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/**
 * Returns the instant at which a time zone reaches a local time. Uses the first occurrence of a repeated
 * time, and the transition for a skipped one.
 */
const findInstant = (wallMs: number, timezone: string): number => {
  const instant = toInstant(wallMs, timezone)
  if (toWall(instant, timezone) === wallMs) return instant
  const skipped = transitionsBetween(timezone, instant - 2 * DAY_MS, instant + 1).find(
    ({ at, before, after }) => at + before <= wallMs && wallMs < at + after,
  )
  return skipped?.at ?? instant
}

/** The local calendar day, as days since 1970. */
const dayOf = (instantMs: number, timezone: string): number =>
  Math.floor(toWall(instantMs, timezone) / DAY_MS)

const instantOn = (day: number, minutes: number, timezone: string): number =>
  findInstant(day * DAY_MS + minutes * MINUTE_MS, timezone)

/** Returns the end of the current quiet hours, or undefined outside of them. */
export const quietUntil = (now: Date, hours: QuietHours, timezone: string): Date | undefined => {
  if (!hours.enabled) return undefined
  const [start, end] = [minutesOf(hours.start), minutesOf(hours.end)]
  const dayOffset = end > start ? 0 : 1
  const periodsAround = (at: number) => {
    const day = dayOf(at, timezone)
    return [day - 1, day, day + 1].map((first) => ({
      from: instantOn(first, start, timezone),
      until: instantOn(first + dayOffset, end, timezone),
    }))
  }
  let until: number | undefined
  let at = now.getTime()
  // If a time zone skips a whole day, one night continues into the next.
  for (let nights = 0; nights < 3; nights++) {
    const period = periodsAround(at).find(({ from, until: to }) => from <= at && at < to)
    if (!period) break
    until = period.until
    at = until
  }
  return until === undefined ? undefined : new Date(until)
}

/** Returns the time of the next digest, or undefined if digests are off. */
export const nextDigest = (now: Date, digest: Digest, timezone: string): Date | undefined => {
  if (digest.frequency === 'off') return undefined
  const today = dayOf(now.getTime(), timezone)
  const wanted = (WEEKDAYS as readonly string[]).indexOf(digest.weekday)
  for (let day = today; ; day++) {
    const isDigestDay = digest.frequency === 'daily' || (((day - A_MONDAY) % 7) + 7) % 7 === wanted
    const at = isDigestDay ? instantOn(day, minutesOf(digest.time), timezone) : Number.NEGATIVE_INFINITY
    if (at > now.getTime()) return new Date(at)
  }
}

export type Channel = 'email' | 'webhook'

export interface Due {
  at: Date
  heldBy: 'quiet_hours' | 'digest' | null
}

/**
 * Returns the delivery time for a channel. The person chose the time of the digest, so quiet hours do not
 * delay it. All other deliveries wait for the end of quiet hours.
 */
export const dueOf = (
  { kind, channel, choices, timezone }: { kind: Kind; channel: Channel; choices: Choices; timezone: string },
  now: Date,
): Due => {
  const { kinds, quietHours, digest } = choices
  const digestAt =
    channel === 'email' && kinds[kind].email === 'digest' ? nextDigest(now, digest, timezone) : undefined
  if (digestAt) return { at: digestAt, heldBy: 'digest' }
  const passes = isSecurity(kind) && quietHours.securityPasses
  const quiet = passes ? undefined : quietUntil(now, quietHours, timezone)
  return quiet ? { at: quiet, heldBy: 'quiet_hours' } : { at: now, heldBy: null }
}

/** The channels and times by which a person is notified of an occurrence. */
export interface Plan {
  notice: Notice
  inConsole: boolean
  email: Due | undefined
  webhook: Due | undefined
  /** The plan needs mail now, but no account can send it. The console shows it instead. */
  isUnmailable: boolean
}

const isWanted = ({ console, email, webhook }: Channels): boolean => console || email !== 'off' || webhook

const planOf = (person: Person, choices: Choices, notice: Notice, now: Date): Plan => {
  const { kind } = notice
  const channels = choices.kinds[kind]
  const due = (channel: Channel): Due => dueOf({ kind, channel, choices, timezone: person.timezone }, now)
  return {
    notice,
    inConsole: channels.console,
    isUnmailable: false,
    email: channels.email === 'off' ? undefined : due('email'),
    webhook: channels.webhook ? due('webhook') : undefined,
  }
}

const isFor = ({ whom }: Occurrence, { id, role }: Person): boolean =>
  whom === 'owner' ? role === 'owner' : whom.userId === id

/** Returns the occurrences that a person wants to be notified of. */
export const wantedBy = (person: Person, occurrences: readonly Occurrence[]): Occurrence[] => {
  const { kinds } = choicesOf(readChoices(person.chosen))
  return occurrences.filter((occurrence) => isFor(occurrence, person) && isWanted(kinds[occurrence.kind]))
}

/** Plans the deliveries of the wanted occurrences. */
export const plansFor = (person: Person, wanted: readonly Occurrence[], now: Date): Plan[] => {
  const choices = choicesOf(readChoices(person.chosen))
  return combine(wanted).map((notice) => planOf(person, choices, notice, now))
}

export const isMailedNow = ({ email }: Plan): boolean => email?.heldBy === null

export const unmailable = (plan: Plan): Plan =>
  isMailedNow(plan) ? { ...plan, inConsole: true, isUnmailable: true } : plan

/** The stored text is for versions that cannot render the data. */
export const rowOf = (
  { notice, inConsole }: Plan,
  person: Person,
  now: Date,
): Insertable<NotificationRow> => {
  const { kind, key, data, link, actionId = null } = notice
  const { title, body } = renderData(kind, data, person, now) ?? { title: '', body: '' }
  return {
    userId: person.id,
    key,
    kind,
    data: JSON.stringify(data),
    title,
    body,
    link,
    actionId,
    inConsole: inConsole ? 1 : 0,
    readAt: null,
    clearedAt: null,
    version: 1,
    createdAt: now.toISOString(),
  }
}

/** Webhook deliveries are created in the same transaction. Mail needs a job. */
export const isDeliveredNow = (plan: Plan, channel: Channel): boolean =>
  channel === 'webhook' ? plan.webhook?.heldBy === null : plan.isUnmailable

export const deliveriesOf = (plan: Plan, row: NotificationRecord): Insertable<NotificationDeliveryRow>[] =>
  (['email', 'webhook'] as const).flatMap((channel) => {
    const due = plan[channel]
    if (!due) return []
    const isOver = isDeliveredNow(plan, channel)
    const failed = channel === 'email' && isOver
    return {
      notificationId: row.id,
      userId: row.userId,
      channel,
      mailId: null,
      heldBy: due.heldBy,
      dueAt: due.at.toISOString(),
      error: failed ? NO_ACCOUNT : null,
      state: failed ? 'failed' : isOver ? 'told' : 'waiting',
      finishedAt: isOver ? row.createdAt : null,
    } satisfies Insertable<NotificationDeliveryRow>
  })

/** Returns the times at which a job must deliver. */
export const momentsOf = (plan: Plan): Due[] =>
  (['email', 'webhook'] as const).flatMap((channel) => {
    const due = plan[channel]
    return due && !isDeliveredNow(plan, channel) ? due : []
  })
