import type { Db } from '../../../database/db.ts'
import { inTransaction, transactionOr } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import { invalidField } from '../../../platform/errors.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import type { Weekday } from '../../../platform/time.ts'
import { checkLocale, checkTimeZone } from '../../../platform/time.ts'
import type { Activity } from '../../auth/activity.ts'
import { getUser, lockUser, type User, updateUser } from '../../auth/repository.ts'
import type { WorkingHours } from '../../auth/working-hours.ts'

export interface Preferences {
  timezone: string
  locale: string
  weekStart: Weekday
  workingHours: WorkingHours[]
  remoteImages: 'ask' | 'never'
  imageSenders: string[]
  conferencingLink: string | null
}

const toPreferences = (user: User, timezone: string): Preferences & { id: number; version: number } => ({
  id: user.id,
  version: user.version,
  timezone: user.role === 'local' ? timezone : user.timezone,
  locale: user.locale,
  weekStart: user.weekStart as Weekday,
  workingHours: JSON.parse(user.workingHours) as WorkingHours[],
  remoteImages: user.remoteImages,
  imageSenders: JSON.parse(user.imageSenders) as string[],
  conferencingLink: user.conferencingLink,
})

/** Addresses are compared without case. */
const toSenderList = (addresses: readonly string[]): string =>
  JSON.stringify([...new Set(addresses.map((address) => address.toLowerCase()))])

const checkHours = (hours: readonly WorkingHours[]): void => {
  const ordered = hours
    .map((entry, index) => ({ ...entry, path: `workingHours.${index}` }))
    .sort((a, b) => a.start.localeCompare(b.start))
  for (const { path, start, end } of ordered)
    if (end <= start) throw invalidField(`${path}.end`, 'must be after the start')
  for (const [index, entry] of ordered.entries()) {
    const next = ordered.slice(index + 1).find(({ day }) => day === entry.day)
    if (next && next.start < entry.end)
      throw invalidField(`${next.path}.start`, 'overlaps other working hours of that day')
  }
}

const RANDOM = '{random}'

const fillLink = (template: string, random: string): string => template.replaceAll(RANDOM, random)

const checkLink = (template: string): void => {
  const link = URL.parse(fillLink(template, 'a'))
  if (link?.protocol !== 'https:' || link.username !== '' || link.password !== '')
    throw invalidField('conferencingLink', 'must be an https link such as https://meet.example.org/{random}')
  if (link.host !== URL.parse(fillLink(template, 'b'))?.host)
    throw invalidField('conferencingLink', 'cannot have {random} in its host name')
}

export const checkPreferences = (input: Partial<Preferences>): void => {
  if (input.timezone !== undefined) checkTimeZone('timezone', input.timezone)
  if (input.locale !== undefined) checkLocale('locale', input.locale)
  if (input.workingHours) checkHours(input.workingHours)
  if (input.conferencingLink) checkLink(input.conferencingLink)
}

/** Runs in the transaction that changes the time zone or working hours of an account. */
type PreferencesListener = (tx: Db, userId: number, preferences: Preferences) => Promise<void>

/** Preferences that define the calendar days of an account. */
const TIME_FIELDS = ['timezone', 'workingHours']

export type PreferenceRules = ReturnType<typeof createPreferences>

/** Time zone, locale, week start, working hours and remote images of accounts. */
export const createPreferences = (
  { db, clock, random }: Platform,
  { activity, timezone }: { activity: Activity; timezone: () => string },
) => {
  const listeners: PreferencesListener[] = []
  /** The local account has no time zone of its own: it has the one of the instance. */
  const preferencesOf = (user: User) => toPreferences(user, timezone())
  const notifyListeners = async (tx: Db, user: User): Promise<void> => {
    for (const listener of listeners) await listener(tx, user.id, preferencesOf(user))
  }
  return {
    /**
     * Runs the listeners for the first account, whose time zone may differ from the one configured for the
     * instance.
     */
    notifyListeners,

    /** Calls `listener` whenever an account changes its time zone or working hours. */
    accompany(listener: PreferencesListener): void {
      listeners.push(listener)
    },

    get: async (userId: number) => preferencesOf(await getUser(transactionOr(db), userId)),

    /** Returns a link for a video call that nobody can guess; null without a template. */
    async createConferencingLink(userId: number): Promise<string | null> {
      const { conferencingLink } = await getUser(transactionOr(db), userId)
      return conferencingLink && fillLink(conferencingLink, randomId(random))
    },

    async change(userId: number, input: Partial<Preferences>, visit: Visit, ifMatch: string | undefined) {
      checkPreferences(input)
      return inTransaction(db, async (tx) => {
        const user = await lockUser(tx, userId)
        requireMatch(ifMatch, user)
        const { workingHours, imageSenders, ...plain } = input
        const change = {
          ...plain,
          ...(workingHours && { workingHours: JSON.stringify(workingHours) }),
          ...(imageSenders && { imageSenders: toSenderList(imageSenders) }),
        }
        const fields = Object.keys(change).filter((name) => change[name as never] !== user[name as never])
        if (fields.length === 0) return preferencesOf(user)
        const changed = await updateUser(tx, user, change, clock.now().toISOString())
        await activity.record(tx, userId, visit, 'preferences.changed', { fields })
        if (fields.some((name) => TIME_FIELDS.includes(name))) await notifyListeners(tx, changed)
        return preferencesOf(changed)
      })
    },
  }
}
