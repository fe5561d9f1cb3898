import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readInstant } from '../../../platform/time.ts'
import { isIn } from '../folders/places.ts'
import { NOT_RETURNED, toDueChange } from '../messages/email.ts'
import type { EmailRecord } from '../messages/email-repository.ts'
import { linksOf } from '../threads/threads.ts'
import {
  findReturnPosition,
  listOwnAddresses,
  listReminded,
  setReturned,
  takeDueReminders,
  takeDueSnoozesOf,
  updateReminders,
} from './repository.ts'

const isInbox = ({ folder }: EmailRecord): boolean => folder === 'inbox'

/** The newest email of each conversation represents it, if possible one of the inbox. */
const selectHeads = (emails: readonly EmailRecord[]): EmailRecord[] => {
  const ascending = emails.toSorted(
    (a, b) => Number(isInbox(a)) - Number(isInbox(b)) || a.position - b.position,
  )
  return [...new Map(ascending.map((email) => [email.threadId, email])).values()]
}

const JOB = 'mail-reminders'
const BATCH = 200
const MAX_AHEAD_MS = 5 * 366 * 86_400_000

/** Emails in these folders are not answers. */
const NOT_ANSWERS: readonly string[] = ['sent', 'drafts', 'junk', 'trash']
/** Emails in these folders do not return to the inbox. */
const DISCARDED: readonly string[] = ['junk', 'trash']
/** Nobody can answer an email that was not sent. */
const UNSENT: readonly (string | null)[] = ['queued', 'failed', 'cancelled']

interface Times {
  snoozedUntil?: string | null
  followUpAt?: string | null
}

interface Message {
  isAutomatic?: boolean | undefined
  text: string
}

export type MailReminders = ReturnType<typeof createMailReminders>

/**
 * Returns snoozed emails, and sent emails without an answer, to the inbox at their time. A job is queued in the
 * transaction that sets the time. Taking a due email clears its time, so that it returns once.
 */
export const createMailReminders = (
  { db, clock, changes, jobs }: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'>,
  zoneOf: (userId: number) => Promise<string>,
) => {
  const schedule = async (tx: Db, moment: string | null | undefined): Promise<void> => {
    if (moment) await jobs.enqueue(tx, JOB, { at: moment }, { runAt: new Date(moment), key: moment })
  }

  /** Lists the email at the top of the inbox, and notifies the user. */
  const returnToInbox = async (
    tx: Db,
    email: EmailRecord,
    returnReason: 'snooze' | 'follow-up',
    now: string,
  ): Promise<void> => {
    const returnedPosition = await findReturnPosition(tx, email.userId, now)
    const returned = await setReturned(tx, email, { returnedPosition, returnReason })
    await changes.record(tx, {
      userId: email.userId,
      type: 'email.due',
      subject: String(email.id),
      data: toDueChange(returned),
    })
  }

  const returnBatch = (): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const snoozed = await takeDueReminders(tx, 'snoozedUntil', now, BATCH)
      const isFull = snoozed.length === BATCH
      if (isFull)
        snoozed.push(...(await takeDueSnoozesOf(tx, now, [...new Set(snoozed.map((one) => one.threadId))])))
      for (const email of selectHeads(snoozed.filter(({ folder }) => !DISCARDED.includes(folder))))
        await returnToInbox(tx, email, 'snooze', now)
      const unanswered = await takeDueReminders(tx, 'followUpAt', now, BATCH)
      for (const email of unanswered)
        if (isIn(email, 'sent') && !UNSENT.includes(email.deliveryStatus))
          await returnToInbox(tx, email, 'follow-up', now)
      return !isFull && unanswered.length < BATCH
    })

  jobs.define({
    name: JOB,
    payload: Type.Object({ at: Type.Optional(Type.String()) }),
    // If the job for a time is lost, the email is at most five minutes late.
    schedule: '*/5 * * * *',
    async run({ at }) {
      while (!(await returnBatch()));
      // If the clock was set back, the job ran too early. Wait for the same time again.
      if (at !== undefined && at > clock.now().toISOString())
        await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, { at }, { runAt: new Date(at) }))
    },
  })

  const readTime = async (
    userId: number,
    path: keyof Times,
    given: string,
    mayBePast: boolean,
  ): Promise<string> => {
    const moment = readInstant(path, given, await zoneOf(userId))
    const now = clock.now().getTime()
    if (!mayBePast && Date.parse(moment) <= now) throw invalidField(path, 'must be in the future')
    if (Date.parse(moment) > now + MAX_AHEAD_MS) throw invalidField(path, 'must be within five years')
    return moment
  }

  const isAnswer = async (
    tx: Db,
    email: EmailRecord,
    { isAutomatic = false, text }: Message,
  ): Promise<boolean> => {
    if (isAutomatic || NOT_ANSWERS.includes(email.folder)) return false
    if ((await listOwnAddresses(tx, email.userId)).has(email.fromAddress.toLowerCase())) return false
    const { categoryOf } = await import('../../../nlu/mail/category.ts')
    const { category } = categoryOf({ subject: email.subject, from: email.fromAddress, text })
    return category !== 'auto-reply' && category !== 'bounce'
  }

  return {
    schedule,

    /** Reads the times of a request. They must be in the future, unless the request restores former values. */
    async readTimes<T extends Times>(userId: number, input: T, { mayBePast = false } = {}): Promise<T> {
      const { snoozedUntil, followUpAt } = input
      return {
        ...input,
        ...(snoozedUntil && {
          snoozedUntil: await readTime(userId, 'snoozedUntil', snoozedUntil, mayBePast),
        }),
        ...(followUpAt && { followUpAt: await readTime(userId, 'followUpAt', followUpAt, mayBePast) }),
      }
    },

    /**
     * Applies a new email to its conversation: it ends a snooze and the mark of a return, and an answer ends the
     * follow-ups. The new email of a pinned conversation is pinned.
     */
    async receive(
      tx: Db,
      email: EmailRecord,
      message: Message,
    ): Promise<Partial<Pick<EmailRecord, 'snoozedUntil' | 'pinned' | 'version' | 'updatedAt'>>> {
      const others = await listReminded(tx, email)
      if (others.length === 0) return {}
      const { userId } = email
      const now = clock.now().toISOString()
      const older = others.filter(({ position }) => position < email.position)
      // The clock of the sender may be wrong: a reply that names the email is an answer, whatever its date.
      const answered = new Set(linksOf(email))
      const awaiting = others.filter(
        ({ followUpAt, position, messageId }) =>
          followUpAt !== null &&
          (position < email.position || (messageId !== null && answered.has(messageId))),
      )
      if (awaiting.length > 0 && (await isAnswer(tx, email, message)))
        await updateReminders(tx, userId, awaiting, { followUpAt: null }, now)
      const isListed = isInbox(email) && email.snoozedUntil === null
      const ended = isListed
        ? older.filter(
            ({ snoozedUntil, returnedPosition }) => snoozedUntil !== null || returnedPosition !== null,
          )
        : []
      await updateReminders(tx, userId, ended, NOT_RETURNED, now)
      const isPinned = others.some(({ pinned }) => pinned === 1)
      const change = {
        ...(isPinned && email.pinned === 0 && { pinned: 1 }),
        // A message that is found late belongs to the snoozed conversation.
        ...(isListed &&
          ended.length === 0 && {
            snoozedUntil: others.find(({ snoozedUntil }) => snoozedUntil !== null)?.snoozedUntil ?? null,
          }),
      }
      if (change.pinned === undefined && (change.snoozedUntil ?? null) === null) return {}
      await updateReminders(tx, userId, [email], change, now)
      return { ...change, version: email.version + 1, updatedAt: now }
    },
  }
}
