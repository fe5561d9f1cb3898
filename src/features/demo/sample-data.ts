import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { SessionCaller, Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Random } from '../../platform/random.ts'
import type { Passwords } from '../auth/passwords.ts'
import {
  type AccountServices,
  claimSampleAccount,
  findOwnerId,
  hasOtherAccounts,
  removeSampleAccount,
  SAMPLE_EMAIL,
} from './account.ts'
import { type CalendarServices, fillCalendar, removeCalendar } from './calendar.ts'
import { fillMail, type MailServices, removeMail } from './mail.ts'
import { ACCOUNT_MARK, deleteMarks, listMarks, listSampleAccounts, MarkedSample } from './marks.ts'
import { fillNotifications, type NotificationServices, removeNotifications } from './notifications.ts'
import { Sample } from './sample.ts'
import { fillStream, removeStream } from './stream.ts'
import { fillTasks, removeTasks, type TaskServices } from './tasks.ts'
import { fillUsage, removeUsage, type UsageServices } from './usage.ts'

/** The services of other features that write sample rows. Rows without rules of their own are inserted directly. */
export type SampleServices = AccountServices &
  CalendarServices &
  TaskServices &
  MailServices &
  UsageServices &
  NotificationServices

export interface SampleDeps {
  db: Db
  clock: Clock
  random: Random
  passwords: Passwords
  services: SampleServices
}

/** The language of the system, for the sample: German or English. */
const systemLanguage = (): 'de' | 'en' =>
  new Intl.DateTimeFormat().resolvedOptions().locale.startsWith('de') ? 'de' : 'en'

/**
 * Sample data of two weeks. Every row is marked, so that one call can remove the sample. Webhooks would send requests, and
 * the first sync of a booking provider would cancel the bookings, so the sample has neither.
 */
export class SampleData {
  private readonly deps: SampleDeps

  constructor(deps: SampleDeps) {
    this.deps = deps
  }

  /** Fills an empty instance. Returns null for one that has accounts. */
  async fill(language = systemLanguage()): Promise<{ email: string; password: string } | null> {
    const { db, clock, random, passwords, services } = this.deps
    const { content } = await (language === 'de' ? import('./de.ts') : import('./en.ts'))
    const password = random.bytes(9).toString('base64url')
    const passwordHash = await passwords.hash(password)
    return inTransaction(db, async (tx) => {
      const now = clock.now()
      const userId = await claimSampleAccount(tx, { now, passwordHash, content })
      if (userId === undefined) return null
      const sample = new Sample(tx, { userId, now, content })
      await sample.mark(ACCOUNT_MARK, userId)
      await fillCalendar(sample, services)
      await fillTasks(sample, services)
      await fillMail(sample, services)
      await fillStream(sample)
      await fillUsage(sample, services)
      await fillNotifications(sample, services)
      return { email: SAMPLE_EMAIL, password }
    })
  }

  /**
   * Removes the sample and nothing else: the sample account, and marked rows that the caller has imported. This ends the
   * sessions of the sample account.
   */
  remove({ userId, isOwner }: Pick<SessionCaller, 'userId' | 'isOwner'>, visit: Visit): Promise<void> {
    const { db, services } = this.deps
    return inTransaction(db, async (tx) => {
      const samples = await listSampleAccounts(tx)
      const hasOwn = (await listMarks(tx, userId)).length > 0
      // The first real account removes a sample account that owns the instance, and becomes the owner.
      const ownerId = await findOwnerId(tx)
      const mayRemoveAccount = isOwner || (ownerId !== undefined && samples.includes(ownerId))
      if (!mayRemoveAccount && !hasOwn) throw forbidden('Only the owner of this instance may do this.')
      const accounts = new Set([...(mayRemoveAccount ? samples : []), ...(hasOwn ? [userId] : [])])
      // A sample account that is the only one becomes the local account, and keeps what was added to it.
      const leaving = (await hasOtherAccounts(tx, samples)) ? samples : []
      for (const account of accounts) await this.removeFrom(tx, account, leaving.includes(account))
      if (!leaving.includes(userId)) await services.activity.record(tx, userId, visit, 'sample_data.removed')
    })
  }

  private async removeFrom(tx: Db, userId: number, isLeaving: boolean): Promise<void> {
    const { services } = this.deps
    const sample = new MarkedSample(tx, { userId, isLeaving, marks: await listMarks(tx, userId) })
    await removeNotifications(sample)
    await removeUsage(sample, services)
    await removeStream(sample)
    await removeMail(sample, services)
    await removeTasks(sample, services)
    await removeCalendar(sample, services)
    await removeSampleAccount(sample, services)
    await deleteMarks(tx, userId)
  }
}
