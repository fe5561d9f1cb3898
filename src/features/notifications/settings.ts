import type { Static } from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { fingerprint, isSameJson } from '../../platform/fingerprint.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Activity } from '../auth/activity.ts'
import { type Channels, definitionOf, KINDS, type Kind, perKind } from './kinds.ts'
import type { PersonalPost } from './ports.ts'
import { findPerson, findSettings, lockSettings, saveSettings } from './repository.ts'
import type { NotificationSettingsChange, NotificationSettings as Settings } from './schema.ts'

export const defaultsOf = (kind: Kind): Channels => definitionOf(kind).defaults

export const isSecurity = (kind: Kind): boolean => definitionOf(kind).isSecurity === true

/** The effective settings of a person. */
export type Choices = Pick<Static<typeof Settings>, 'kinds' | 'quietHours' | 'digest'>
export type QuietHours = Choices['quietHours']
export type Digest = Choices['digest']

/** The differences from the defaults, as the client sends them and as they are stored. */
type ChoicesChange = Static<typeof NotificationSettingsChange>

const QUIET_HOURS: QuietHours = { enabled: false, start: '22:00', end: '07:00', securityPasses: true }
const DIGEST: Digest = { frequency: 'off', time: '08:00', weekday: 'monday' }

/** Merges the stored differences into the defaults. A kind that was added later has its defaults. */
export const choicesOf = ({ kinds = {}, quietHours, digest }: ChoicesChange): Choices => ({
  kinds: perKind((kind) => ({ ...defaultsOf(kind), ...kinds[kind] })),
  quietHours: { ...QUIET_HOURS, ...quietHours },
  digest: { ...DIGEST, ...digest },
})

export const readChoices = (chosen: string | null): ChoicesChange =>
  chosen === null ? {} : (JSON.parse(chosen) as ChoicesChange)

/** Applies one change on top of another. */
export const mergeChoices = (before: ChoicesChange, change: ChoicesChange): ChoicesChange => {
  const kinds = { ...before.kinds }
  for (const kind of KINDS) {
    const channels = change.kinds?.[kind]
    if (channels) kinds[kind] = { ...kinds[kind], ...channels }
  }
  return {
    kinds,
    quietHours: { ...before.quietHours, ...change.quietHours },
    digest: { ...before.digest, ...change.digest },
  }
}

/** Counts the webhooks of a person that subscribe to notifications. */
export type CountEndpoints = (db: Db, userId: number) => Promise<number>

const check = (input: ChoicesChange, merged: ChoicesChange): void => {
  for (const kind of KINDS)
    if (input.kinds?.[kind]?.console === false && isSecurity(kind))
      throw invalidField(
        `kinds.${kind}.console`,
        'must be true, because notifications about your account always appear in the console',
      )
  const { enabled, start, end } = choicesOf(merged).quietHours
  if (enabled && start === end) throw invalidField('quietHours.end', 'must differ from the start')
}

/** Whether mail about the account itself is turned off or delayed. */
const mutesSecurity = (before: Choices, after: Choices): boolean =>
  KINDS.some(
    (kind) => isSecurity(kind) && before.kinds[kind].email === 'now' && after.kinds[kind].email !== 'now',
  )

export type NotificationSettings = ReturnType<typeof createNotificationSettings>

/** The notification settings of a person: channels, quiet hours and digest. */
export const createNotificationSettings = (deps: {
  db: Db
  clock: Clock
  activity: Activity
  post: Pick<PersonalPost, 'senderOf'>
  countEndpoints: CountEndpoints
  /** Recalculates waiting deliveries. */
  reschedule: (tx: Db, userId: number) => Promise<void>
}) => {
  const { db, clock, activity, post } = deps

  const view = async (tx: Db, userId: number) => {
    const person = await findPerson(tx, userId)
    if (!person) throw notFound('account')
    const row = await findSettings(tx, userId)
    const from = (await post.senderOf(tx, userId)) ?? null
    const endpoints = await deps.countEndpoints(tx, userId)
    const { timezone, email: to } = person
    return {
      ...choicesOf(readChoices(person.chosen)),
      timezone,
      email: { ready: from !== null, from, to },
      webhooks: { endpoints },
      id: userId,
      version: row?.version ?? 0,
      extra: fingerprint([timezone, from, to, endpoints]).slice(0, 12),
    }
  }

  return {
    get: (userId: number) => view(db, userId),

    change: (userId: number, input: ChoicesChange, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const now = clock.now().toISOString()
        const before = await lockSettings(tx, userId, now)
        requireMatch(ifMatch, { id: userId, version: before.version })
        const known = readChoices(before.chosen)
        const merged = mergeChoices(known, input)
        check(input, merged)
        const [former, chosen] = [choicesOf(known), choicesOf(merged)]
        if (!isSameJson(former, chosen)) {
          // Recorded first: the notification of muted mail is still mailed.
          await activity.record(tx, userId, visit, 'notifications.changed', {
            fields: Object.keys(input),
            ...(mutesSecurity(former, chosen) && { mutesSecurity: true }),
          })
          await saveSettings(tx, userId, {
            chosen: JSON.stringify(merged),
            version: before.version + 1,
            updatedAt: now,
          })
          await deps.reschedule(tx, userId)
        }
        return view(tx, userId)
      }),
  }
}
