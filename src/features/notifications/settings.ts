import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/visit.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { digest } from '../../platform/secrets/digest.ts'
import type { Activity } from '../auth/activity.ts'
import { type ChoicesChange, choicesOf, mergeChoices, readChoices } from './choices.ts'
import { isSecurity, type Kind } from './kinds.ts'
import type { PersonalPost } from './post.ts'
import type { Reschedule } from './rescheduling.ts'
import { findPerson, findSettings, lockSettings, saveSettings } from './store.ts'

/** How many of a person's endpoints hear of notifications. */
export type CountEndpoints = (db: Db, userId: number) => Promise<number>

const check = (wish: ChoicesChange, merged: ChoicesChange): void => {
  for (const [kind, channels] of Object.entries(wish.kinds ?? {}))
    if (channels.console === false && isSecurity(kind as Kind))
      throw invalidField(
        `kinds.${kind}.console`,
        'must be on: what concerns your account is always shown here',
      )
  const { enabled, start, end } = choicesOf(merged).quietHours
  if (enabled && start === end) throw invalidField('quietHours.end', 'must differ from the start')
}

export type NotificationSettings = ReturnType<typeof createNotificationSettings>

/** What a person is told of, by which ways, and when not. */
export const createNotificationSettings = (deps: {
  db: Db
  clock: Clock
  activity: Activity
  post: Pick<PersonalPost, 'senderOf'>
  countEndpoints: CountEndpoints
  reschedule: Reschedule
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
      shown: digest(JSON.stringify([timezone, from, to, endpoints])).slice(0, 12),
    }
  }

  return {
    get: (userId: number) => view(db, userId),

    change: (userId: number, wish: ChoicesChange, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const now = clock.now().toISOString()
        const before = await lockSettings(tx, userId, now)
        requireMatch(ifMatch, { id: userId, version: before.version })
        const known = readChoices(before.chosen)
        const merged = mergeChoices(known, wish)
        check(wish, merged)
        if (JSON.stringify(choicesOf(known)) !== JSON.stringify(choicesOf(merged))) {
          await saveSettings(tx, userId, {
            chosen: JSON.stringify(merged),
            version: before.version + 1,
            updatedAt: now,
          })
          await activity.record(tx, userId, visit, 'notifications.changed', { fields: Object.keys(wish) })
          await deps.reschedule(tx, userId)
        }
        return view(tx, userId)
      }),
  }
}
