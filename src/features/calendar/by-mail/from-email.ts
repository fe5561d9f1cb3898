import type { Db } from '../../../database/db.ts'
import { readingIn } from '../../../database/transaction.ts'
import { privateTagsOf } from '../../../engine/mail/private-tag.ts'
import type { Clock } from '../../../platform/clock.ts'
import { invalid, invalidField, notFound } from '../../../platform/errors.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { EventFields, EventRecord } from '../event.ts'
import { listByUid, lockByUid } from '../event-store.ts'
import type { Told } from '../icalendar/entry.ts'
import type { CalendarReader } from '../icalendar/reader.ts'
import { type BatchWriter, cancels, type Origin } from '../imports/batch.ts'
import { writeWithOthers } from '../imports/collisions.ts'
import type { Saving } from '../saving.ts'
import type { Shown } from '../shown-event.ts'
import { findConflicts } from '../windows/conflicts.ts'
import { reaches } from './addresses.ts'
import { createHearing, type Proposal } from './answers-in.ts'
import { refusal, requireAuthority } from './authority.ts'
import type { FoundMeeting } from './detect-schema.ts'
import { withFollowers } from './followers.ts'
import type { FoundJournal } from './journal.ts'
import type { AnswerPost, MailDesk, MeetingMail, OwnAccount } from './mail.ts'
import { meetingUid, readMeeting } from './meetings.ts'
import { readMailProse, readProse } from './prose.ts'
import type { FromEmail, Meeting } from './schema.ts'
import type { Target, Targets } from './targets.ts'
import { readMail, readText } from './telling.ts'

const REVISING = ['REQUEST', 'PUBLISH', 'CANCEL']
const ANSWERING = ['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

type Outcome = 'created' | 'updated' | 'cancelled' | 'unchanged' | Awaited<ReturnType<Hearing>>['outcome']
type Hearing = ReturnType<typeof createHearing>

export interface Taken {
  target: Target
  outcome: Outcome
  proposal: Proposal | null
  /** Of everything that the mail was about. */
  ids: number[]
  /** Other times that the same words propose. */
  alternatives?: FoundMeeting[]
  /** What takes it back. */
  actionId?: number
}

const timingOf = ({ start, end, allDay, recurrence }: EventFields): string =>
  JSON.stringify([start, end, allDay, recurrence])

/** Reminders and tags are the person's; so is their answer, as long as the organizer does not ask anew. */
const keepingOwn =
  (accounts: readonly OwnAccount[]) =>
  (before: EventFields, after: EventFields): EventFields => {
    const isOwn = ({ email }: { email: string }): boolean =>
      accounts.some(({ address }) => reaches(email, address))
    const own = before.attendees.find(isOwn)
    const isMoved = timingOf(before) !== timingOf(after)
    const attendees = after.attendees.map((each) =>
      own && isOwn(each) && each.status === 'needs-action' && !isMoved
        ? { ...each, status: own.status }
        : each,
    )
    const isDeclined = attendees.find(isOwn)?.status === 'declined'
    const { reminders } = before
    const tags = [...new Set([...before.tags, ...privateTagsOf(after.tags)])]
    return { ...after, reminders, tags, attendees, busy: isDeclined ? before.busy : after.busy }
  }

export interface FromEmailDeps {
  db: Db
  saving: Saving
  write: BatchWriter
  targets: Targets
  desk: MailDesk
  post: Pick<AnswerPost, 'accounts'>
  reader: Pick<CalendarReader, 'readFile'>
  timezone: () => Promise<string>
  clock: Clock
  journal: FoundJournal
  workers: WorkerPool
}

export type MailedEvents = ReturnType<typeof createMailedEvents>

/** Events out of mails: meetings that someone called, called off, moved, or answered. */
export const createMailedEvents = (deps: FromEmailDeps) => {
  const { db, saving, targets, desk } = deps
  const hear = createHearing({ targets })

  const findMail = async (view: Db, emailId: number): Promise<MeetingMail> => {
    const mail = await desk.find(view, emailId)
    if (!mail) throw notFound('e-mail')
    return mail
  }

  const requireTarget = async (
    tx: Db,
    { uid, recurrenceId }: { uid: string; recurrenceId: string | null },
  ): Promise<Target> => {
    const target = await targets.find(tx, await listByUid(tx, [uid]), recurrenceId || null)
    if (!target) throw new Error('An event that was just written is not there.')
    return target
  }

  const revise = async (
    tx: Db,
    told: readonly Told[],
    rows: readonly EventRecord[],
    mail: MeetingMail | undefined,
    accounts: readonly OwnAccount[],
  ): Promise<Taken> => {
    for (const each of told) {
      const own = rows.filter(({ uid }) => uid === each.entry.uid)
      const before = own.find(({ recurrenceId }) => recurrenceId === '') ?? own[0]
      const first = before?.emailId ? await desk.find(tx, before.emailId) : undefined
      requireAuthority(each, own, { sender: mail?.from ?? '', firstSender: first?.from ?? '' })
    }
    const origin: Origin = {
      source: 'email',
      emailId: mail?.id ?? null,
      tags: privateTagsOf(mail?.tags ?? []),
      keep: keepingOwn(accounts),
    }
    const { named, following } = withFollowers(told, rows)
    const verdicts = await deps.write(tx, named, origin)
    if (following.length > 0) await deps.write(tx, following, origin)
    const done: { target: Target; outcome: Outcome }[] = []
    let reason: string | undefined
    for (const [index, verdict] of verdicts.entries()) {
      const each = told[index] as Told
      if (typeof verdict === 'object') reason ??= verdict.reason
      else
        done.push({
          target: await requireTarget(tx, each.entry),
          outcome: verdict === 'updated' && cancels(each) ? 'cancelled' : verdict,
        })
    }
    const [first] = done
    if (!first) throw refusal(reason ?? 'Nothing can be made of it.')
    return { ...first, proposal: null, ids: done.map(({ target }) => target.row.id) }
  }

  const listen = async (
    tx: Db,
    told: readonly Told[],
    rows: readonly EventRecord[],
    sender: string,
    accounts: readonly OwnAccount[],
  ): Promise<Taken> => {
    const heard = []
    for (const each of told) heard.push(await hear(tx, each, rows, { sender, accounts }))
    const first = heard.find(({ outcome }) => outcome !== 'unchanged') ?? heard[0]
    if (!first) throw new Error('Nobody said anything.')
    return { ...first, ids: heard.map(({ target }) => target.row.id) }
  }

  const take = async (tx: Db, told: readonly Told[], mail: MeetingMail | undefined): Promise<Taken> => {
    const method = told[0]?.method ?? 'PUBLISH'
    const alike = [REVISING, ANSWERING].find((methods) => methods.includes(method))
    if (!alike)
      throw refusal(`Its calendar part asks for ${method.slice(0, 20)}, which is not understood here.`)
    const meant = told.filter((each) => alike.includes(each.method ?? 'PUBLISH'))
    const rows = await lockByUid(tx, [...new Set(meant.map(({ entry }) => entry.uid))])
    const accounts = await deps.post.accounts(tx)
    return alike === REVISING
      ? revise(tx, meant, rows, mail, accounts)
      : listen(tx, meant, rows, mail?.from ?? '', accounts)
  }

  const takeMeeting = async (
    tx: Db,
    { meeting, alternatives = [] }: { meeting: Meeting; alternatives?: FoundMeeting[] },
    mail: MeetingMail | undefined,
    zone: string,
  ): Promise<Taken> => {
    const wished = readMeeting(meeting, mail?.id, zone)
    const fields = { ...wished, uid: meetingUid(wished), tags: privateTagsOf(mail?.tags ?? []) }
    const [known] = await lockByUid(tx, [fields.uid])
    if (!known) await saving.insert(tx, fields)
    const target = await requireTarget(tx, { uid: fields.uid, recurrenceId: null })
    const taken = { target, proposal: null, ids: [target.row.id], alternatives }
    if (known) return { ...taken, outcome: 'unchanged' }
    return { ...taken, outcome: 'created', actionId: await deps.journal.record(tx, target.row) }
  }

  /** The event as it is now, and what became of it. */
  const shown = async (tx: Db, { target: { row, one }, outcome, proposal, ids, ...found }: Taken) => {
    const target = await requireTarget(tx, { uid: row.uid, recurrenceId: one?.start ?? row.recurrenceId })
    const event = await targets.show(tx, target)
    const more = JSON.stringify({
      outcome,
      proposal,
      conflicts: await findConflicts(tx, event.id, target.fields, deps.clock.now()),
      others: [...new Set(ids)].filter((id) => id !== event.id),
      alternatives: found.alternatives ?? [],
      actionId: found.actionId ?? null,
    })
    const text = `${event.text.slice(0, -1)},${more.slice(1)}`
    return { made: outcome === 'created', event: { ...event, text } }
  }

  const fromEmail = async ({
    emailId,
    text,
    subject,
    meeting,
  }: FromEmail): Promise<{ made: boolean; event: Shown }> => {
    if (meeting && text !== undefined) throw invalid('Send a text or a meeting, not both.')
    if (text !== undefined && emailId !== undefined) throw invalid('Send a text or an emailId, not both.')
    if (subject !== undefined && text === undefined) throw invalidField('subject', 'is of a text only')
    const zone = await deps.timezone()
    const view = readingIn(db)
    const mail = emailId === undefined ? undefined : await findMail(view, emailId)
    if (meeting)
      return writeWithOthers(db, async (tx) => shown(tx, await takeMeeting(tx, { meeting }, mail, zone)))
    if (!mail && text === undefined)
      throw invalid('Send an emailId, a text, or a meeting.', [{ path: 'emailId', message: 'is required' }])
    const context = { timezone: zone, reader: deps.reader }
    const told = await (mail ? readMail(mail, context) : readText(text as string, context))
    if (told) return writeWithOthers(db, async (tx) => shown(tx, await take(tx, told, mail)))
    const found = mail
      ? await readMailProse(deps.workers, await mail.readProse(), zone, await deps.post.accounts(view))
      : await readProse(deps.workers, text as string, {
          now: deps.clock.now().getTime(),
          timezone: zone,
          ...(subject && { subject }),
        })
    return writeWithOthers(db, async (tx) => shown(tx, await takeMeeting(tx, found, mail, zone)))
  }
  return { fromEmail, take }
}
