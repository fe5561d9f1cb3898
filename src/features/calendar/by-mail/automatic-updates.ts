import Type from 'typebox'
import type { Db } from '../../../database/db.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { EventRecord } from '../event.ts'
import { listByUid, lockByUid } from '../event-store.ts'
import { decodeCalendar } from '../icalendar/decoding.ts'
import type { Told } from '../icalendar/entry.ts'
import type { CalendarReader } from '../icalendar/reader.ts'
import { unescapeText } from '../icalendar/text.ts'
import { writeWithOthers } from '../imports/collisions.ts'
import { UPDATE_BY_MAIL } from '../work.ts'
import { isSameAddress } from './addresses.ts'
import type { MailedEvents } from './from-email.ts'
import type { AnswerPost, MailDesk, MeetingMail } from './mail.ts'
import { readMail } from './telling.ts'
import type { createUpdateDecision, UpdateContext } from './update-decision.ts'
import { describeUpdate, summarizeUpdate, type UpdateDescription } from './update-description.ts'
import type { RecordedReply, UpdateJournal } from './update-journal.ts'

/** An update of a meeting is a few kilobytes; whatever is larger waits for a person. */
const LARGEST = 512 * 1024
const MOST_PARTS = 5
const MOST_UIDS = 100

/** The UIDs in a calendar, without reading the rest of it: most mail is about events that are not here. */
const uidsIn = (text: string): string[] => {
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  const uids = new Set<string>()
  for (const [, value = ''] of unfolded.matchAll(/^UID(?:;[^:\r\n]{0,200})?:(.{1,1000})$/gim)) {
    uids.add(unescapeText(value.trim()))
    if (uids.size >= MOST_UIDS) break
  }
  return [...uids]
}

const readUids = async (mail: MeetingMail): Promise<string[]> => {
  const uids: string[] = []
  for (const part of mail.parts.slice(0, MOST_PARTS)) uids.push(...uidsIn(decodeCalendar(await part.read())))
  return [...new Set(uids)].slice(0, MOST_UIDS)
}

const isConcerned =
  (sender: string) =>
  ({ organizer, attendees }: EventRecord): boolean => {
    const people = [organizer === null ? [] : JSON.parse(organizer), JSON.parse(attendees)].flat()
    return people.some(({ email }: { email: string }) => isSameAddress(email, sender))
  }

const isInvalid = (error: unknown): boolean => error instanceof AppError && error.kind === 'invalid'

export interface AutomaticUpdateDeps {
  platform: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'>
  desk: MailDesk
  post: Pick<AnswerPost, 'accounts'>
  taking: Pick<MailedEvents, 'take'>
  decide: ReturnType<typeof createUpdateDecision>
  journal: UpdateJournal
  reader: Pick<CalendarReader, 'readFile'>
  timezone: () => Promise<string>
  /** Keeps a change from servers that would mail the guests because of it. */
  holdPushes: (tx: Db, uids: readonly string[]) => Promise<void>
}

/** What a decision depends on. */
export const contextOf = async (
  view: Db,
  { desk, post }: Pick<AutomaticUpdateDeps, 'desk' | 'post'>,
  mail: MeetingMail,
  rows: readonly EventRecord[],
): Promise<UpdateContext> => ({
  rows,
  accounts: await post.accounts(view),
  sender: mail.from,
  folder: mail.folder,
  trust: await mail.readTrust(),
  async firstSenderOf({ emailId }) {
    return emailId === null ? '' : ((await desk.find(view, emailId))?.from ?? '')
  },
})

/**
 * Applies mail about meetings as it arrives: an organizer's revision or cancellation of an event that is here, and an
 * attendee's reply. A job that is part of the transaction in which the mail arrived does it once.
 */
export const followMeetingMail = (deps: AutomaticUpdateDeps): void => {
  const { db, clock, changes, jobs } = deps.platform
  const { desk, journal } = deps

  changes.accompany(async (tx, recorded) => {
    const emailIds = recorded.flatMap(({ type, subject }) =>
      type === 'email.received' ? [Number(subject)] : [],
    )
    if (emailIds.length === 0) return
    for (const emailId of await desk.listWithCalendar(tx, emailIds))
      await jobs.enqueue(tx, UPDATE_BY_MAIL, { emailId }, { key: String(emailId) })
  })

  const announce = async (tx: Db, update: UpdateDescription, actionId: number, emailId: number) => {
    // Nobody needs to hear of what is over, such as when an old mailbox is connected.
    if (update.lastEnd <= clock.now().toISOString()) return
    const { eventId, ...data } = update
    await changes.record(tx, {
      type: 'invitation.applied',
      subject: String(eventId),
      data: { ...data, actionId, emailId },
    })
  }

  const apply = async (tx: Db, mail: MeetingMail, told: readonly Told[]): Promise<void> => {
    const updates: UpdateDescription[] = []
    let reply: RecordedReply | null = null
    const actionId = await journal.record(
      tx,
      { emailId: mail.id, told },
      () => deps.taking.take(tx, told, mail),
      (rows) => {
        const named = new Map(told.toReversed().map((each) => [each.entry.uid, each]))
        for (const each of named.values()) {
          const described = describeUpdate(each, mail.from, rows)
          if (described) updates.push(described.update)
          reply ??= described?.reply ?? null
        }
        const [first] = updates
        return first && { summary: summarizeUpdate(first), reply }
      },
    )
    await deps.holdPushes(tx, [...new Set(told.map(({ entry }) => entry.uid))])
    if (actionId === undefined) return
    for (const update of updates) await announce(tx, update, actionId, mail.id)
  }

  /** What the mail says of events that are here, when its sender has to do with one of them. */
  const readRelevant = async (mail: MeetingMail): Promise<Told[]> => {
    if (mail.parts.length === 0 || mail.from === '') return []
    if (mail.parts.reduce((sum, { size }) => sum + size, 0) > LARGEST) return []
    const uids = await readUids(mail)
    const rows = uids.length === 0 ? [] : await listByUid(db, uids)
    if (!rows.some(isConcerned(mail.from))) return []
    try {
      return (await readMail(mail, { timezone: await deps.timezone(), reader: deps.reader })) ?? []
    } catch (error) {
      // It stays a card, which says what is wrong with it.
      if (isInvalid(error)) return []
      throw error
    }
  }

  jobs.define({
    name: UPDATE_BY_MAIL,
    payload: Type.Object({ emailId: Type.Integer() }),
    async run({ emailId }, { complete }) {
      const mail = await desk.find(db, emailId)
      const told = mail ? await readRelevant(mail) : []
      if (!mail || told.length === 0) return
      await writeWithOthers(db, async (tx) => {
        // The mail may have been moved or deleted since.
        const present = await desk.find(tx, emailId)
        const rows = await lockByUid(tx, [...new Set(told.map(({ entry }) => entry.uid))])
        if (present) {
          const decision = await deps.decide(tx, told, await contextOf(tx, deps, present, rows))
          if (decision.state === 'ready' && !(await journal.wasUndone(tx, decision.told)))
            await apply(tx, present, decision.told)
        }
        await complete(tx)
      })
    },
  })
}
