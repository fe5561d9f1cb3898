import type { Db } from '../../../database/db.ts'
import { inTransaction, readingIn } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/visit.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalidField } from '../../../platform/errors.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import { checkLocale } from '../../../platform/locale.ts'
import { checkTimeZone } from '../../../platform/time.ts'
import type { Activity } from '../../auth/activity.ts'
import { findOwner, getUser, lockUser, type User, updateUser } from '../../auth/user-store.ts'
import { DEFAULT_WORKING_HOURS, type Weekday, type WorkingHours } from '../../auth/working-hours.ts'

export interface Preferences {
  timezone: string
  locale: string
  weekStart: Weekday
  workingHours: WorkingHours[]
}

const preferencesOf = (user: User): Preferences & { id: number; version: number } => ({
  id: user.id,
  version: user.version,
  timezone: user.timezone,
  locale: user.locale,
  weekStart: user.weekStart as Weekday,
  workingHours: JSON.parse(user.workingHours) as WorkingHours[],
})

const checkHours = (hours: readonly WorkingHours[]): void => {
  const ordered = hours
    .map((entry, index) => ({ ...entry, path: `workingHours.${index}` }))
    .sort((a, b) => a.start.localeCompare(b.start))
  for (const { path, start, end } of ordered)
    if (end <= start) throw invalidField(`${path}.end`, 'must be after the start')
  for (const [index, entry] of ordered.entries()) {
    const next = ordered.slice(index + 1).find(({ day }) => day === entry.day)
    if (next && next.start < entry.end)
      throw invalidField(`${next.path}.start`, 'is within other hours of that day')
  }
}

export const checkPreferences = (wish: Partial<Preferences>): void => {
  if (wish.timezone !== undefined) checkTimeZone('timezone', wish.timezone)
  if (wish.locale !== undefined) checkLocale('locale', wish.locale)
  if (wish.workingHours) checkHours(wish.workingHours)
}

/** What else must follow when the clock of the instance becomes another; part of the transaction. */
type Follower = (tx: Db, preferences: Preferences) => Promise<void>

/** Whose change is a change of the clock that days are told by. */
const CLOCK = ['timezone', 'workingHours']

export type PreferenceRules = ReturnType<typeof createPreferences>

/** How a person's days and dates are laid out. */
export const createPreferences = (deps: {
  db: Db
  clock: Clock
  activity: Activity
  timezone: () => string
}) => {
  const { db, clock, activity } = deps
  const followers: Follower[] = []
  const follow = async (tx: Db, user: User): Promise<void> => {
    for (const follower of followers) await follower(tx, preferencesOf(user))
  }
  return {
    /** For the first account: the clock that was the instance's until then may have been another. */
    follow,

    /** Has `follower` called whenever the owner's zone or working hours are changed. */
    accompany(follower: Follower): void {
      followers.push(follower)
    },

    get: async (userId: number) => preferencesOf(await getUser(db, userId)),

    /** For routes without a token: the owner's, or the instance's own before there is an owner. */
    async ofInstance(): Promise<Preferences> {
      const owner = await findOwner(readingIn(db))
      if (owner) return preferencesOf(owner)
      return {
        timezone: deps.timezone(),
        locale: 'en',
        weekStart: 'monday',
        workingHours: [...DEFAULT_WORKING_HOURS],
      }
    },

    async change(userId: number, wish: Partial<Preferences>, visit: Visit, ifMatch: string | undefined) {
      checkPreferences(wish)
      return inTransaction(db, async (tx) => {
        const user = await lockUser(tx, userId)
        requireMatch(ifMatch, user)
        const { workingHours, ...plain } = wish
        const change = { ...plain, ...(workingHours && { workingHours: JSON.stringify(workingHours) }) }
        const fields = Object.keys(change).filter((name) => change[name as never] !== user[name as never])
        if (fields.length === 0) return preferencesOf(user)
        const changed = await updateUser(tx, user, change, clock.now().toISOString())
        await activity.record(tx, userId, visit, 'preferences.changed', { fields })
        if (user.role === 'owner' && fields.some((name) => CLOCK.includes(name))) await follow(tx, changed)
        return preferencesOf(changed)
      })
    },
  }
}
