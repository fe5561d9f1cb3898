import { createHash } from 'node:crypto'
import type { Db } from '../../../database/db.ts'
import { transactionOr } from '../../../database/transaction.ts'
import { privateTagsOf } from '../../../nlu/mail/facts.ts'
import type { DetectOptions } from '../../../nlu/meetings/detect.ts'
import { AppError, invalid, invalidField, notFound, sentenceOf } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import type { EventFields, EventRecord } from '../event.ts'
import { hasSameTimes } from '../event.ts'
import { readNewEvent } from '../event-input.ts'
import { listByUid, lockByUid } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { entryOf } from '../export.ts'
import { type Entry, type FoundEvent, readExtra } from '../ical/entry.ts'
import type { CalendarReader } from '../ical/reader.ts'
import { expandRangedChanges, isRanged } from '../ical/this-and-future.ts'
import { type BatchWriter, cancels, type Origin } from '../imports/batch.ts'
import { writeWithOthers } from '../imports/import.ts'
import type { NewEvent } from '../schema.ts'
import { isSeries } from '../series.ts'
import { findConflicts } from '../windows/window.ts'
import { findMeetings } from './detection.ts'
import type { FoundJournal } from './journal.ts'
import {
  type InvitationMail,
  isOwnAddress,
  type MailProse,
  type MeetingMail,
  type OwnAccount,
  readMail,
  readText,
  type SchedulingMailer,
} from './mail.ts'
import { createReplyHandler } from './replies.ts'
import type { FoundMeeting, FromEmail, MailedEvent, Meeting, Proposal } from './schema.ts'
import { refusal, requireAuthority, type Target, type Targets } from './update-decision.ts'

interface ProseMeeting {
  meeting: Meeting
  /** Other proposals, ordered by confidence. */
  alternatives: FoundMeeting[]
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/

/**
 * Finds the addresses of attendees: "Ana" is a person in the header of the email. The user's own addresses
 * are not invited.
 */
const findAttendees = (
  names: readonly string[],
  { sender, people }: MailProse,
  accounts: readonly OwnAccount[],
): NonNullable<Meeting['attendees']> => {
  const reachable = people.filter(({ address }) => ADDRESS.test(address))
  const named = (name: string) =>
    reachable.find((person) =>
      person.name
        .toLowerCase()
        .split(/[\s,]+/)
        .includes(name.toLowerCase()),
    )
  const guests = new Map<string, { name: string; email: string }>()
  const unknown: string[] = []
  const invite = ({ name, address }: MailProse['sender']): void => {
    const email = address.toLowerCase()
    if (!isOwnAddress(email, accounts) && !guests.has(email))
      guests.set(email, { name: name.slice(0, 200), email: address })
  }
  if (ADDRESS.test(sender.address)) invite(sender)
  for (const name of names) {
    const person = named(name)
    if (person) invite(person)
    else unknown.push(name)
  }
  return [...guests.values(), ...new Set(unknown)]
}

/** Finds the meeting that a text proposes. The first one with the highest confidence wins. */
const readProse = async (
  workers: WorkerPool,
  { text, path, subject }: { text: string; path: string; subject: string | undefined },
  when: Pick<DetectOptions, 'now' | 'timezone'>,
): Promise<ProseMeeting> => {
  const { meetings } = await findMeetings(workers, text, { ...when, ...(subject && { subject }) })
  const [meeting, ...alternatives] = meetings.toSorted((a, b) => b.confidence - a.confidence)
  if (!meeting) throw invalidField(path, 'proposes no meeting, so no event can be created')
  return { meeting, alternatives }
}

/** Finds the meeting that an email proposes, with its sender as an attendee. */
const readMailProse = async (
  workers: WorkerPool,
  prose: MailProse,
  timezone: string,
  accounts: readonly OwnAccount[],
): Promise<ProseMeeting> => {
  const { text, subject, date } = prose
  const when = { now: Date.parse(date), timezone }
  const { meeting, alternatives } = await readProse(workers, { text, path: 'emailId', subject }, when)
  return {
    meeting: { ...meeting, attendees: findAttendees(meeting.attendees as string[], prose, accounts) },
    alternatives,
  }
}

const ADDRESSED = /@/

/** Derives a stable UID, so that the same meeting is not created twice. */
const meetingUid = ({ title, start, end }: { title: string; start: string; end: string }): string => {
  const words = title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  const print = createHash('sha256').update([words, start, end].join('\n')).digest('hex')
  return `meeting-${print.slice(0, 40)}@factotum`
}

/**
 * Converts a detected meeting to an event request. Names without an address cannot be invited, so they go
 * into the notes.
 */
const toNewEvent = (meeting: Meeting, emailId: number | undefined): NewEvent => {
  const { confidence: _, evidence: __, attendees = [], ...found } = meeting
  const given = Object.entries(found).filter(([, value]) => value !== null && value !== '')
  const isAddressed = (each: (typeof attendees)[number]): boolean =>
    typeof each !== 'string' || ADDRESSED.test(each)
  const names = attendees.filter((each) => !isAddressed(each)).map((each) => (each as string).trim())
  return {
    ...Object.fromEntries(given),
    source: 'email',
    attendees: attendees.filter(isAddressed),
    ...(names.length > 0 && { notes: `With ${names.join(', ')}` }),
    ...(emailId !== undefined && { emailId }),
  }
}

/** Validation errors get the path of the field in the request body. */
const readMeeting = (meeting: Meeting, emailId: number | undefined, zone: string): EventFields => {
  try {
    return readNewEvent(toNewEvent(meeting, emailId), '', zone)
  } catch (error) {
    const errors = error instanceof AppError && error.kind === 'invalid' ? error.details.errors : undefined
    if (!errors) throw error
    const there = errors.map(({ path, message }) => ({ path: `meeting.${path}`, message }))
    throw invalid(there.map((each) => sentenceOf(each)).join(' '), there)
  }
}

/**
 * Expands RANGE=THISANDFUTURE changes of an email. `following` are the occurrences that the email does not
 * name. Occurrences with their own change stay as they are: the organizer may have cancelled one.
 */
const withFollowers = (
  components: readonly FoundEvent[],
  rows: readonly EventRecord[],
): { named: FoundEvent[]; following: FoundEvent[] } => {
  const following: FoundEvent[] = []
  const said = components.flatMap((each) => (each.kind === 'entry' ? [each.entry] : []))
  const named = components.map((each): FoundEvent => {
    if (each.kind !== 'entry' || !isRanged(each.entry) || cancels(each)) return each
    const { uid } = each.entry
    const isWhole = (entry: Entry): boolean =>
      entry.uid === uid && entry.recurrenceId === null && isSeries(entry)
    const series = said.find(isWhole) ?? rows.map(entryOf).find(isWhole)
    if (!series) return each
    const isAlone = (row: EventRecord): boolean =>
      row.uid === uid && row.recurrenceId !== '' && !readExtra(row.extra).follows
    const others = [...said.filter((entry) => entry.uid === uid), ...rows.filter(isAlone)].flatMap(
      ({ recurrenceId }) => recurrenceId || [],
    )
    const [, own = each.entry, ...rest] = expandRangedChanges([series, each.entry], others)
    following.push(...rest.map((entry): FoundEvent => ({ ...each, entry })))
    return { ...each, entry: own }
  })
  return { named, following }
}

const REVISING = ['REQUEST', 'PUBLISH', 'CANCEL']
const ANSWERING = ['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH']

type Outcome = MailedEvent['outcome']

export interface EmailResult {
  target: Target
  outcome: Outcome
  proposal: Proposal | null
  /** The ids of all events in the email. */
  ids: number[]
  /** Other times that the same text proposes. */
  alternatives?: FoundMeeting[]
  /** The undoable action. */
  actionId?: number
}

/**
 * Keeps the user's reminders and tags. Also keeps the user's response, unless the organizer moved the
 * meeting.
 */
const keepUserChanges =
  (accounts: readonly OwnAccount[]) =>
  (before: EventFields, after: EventFields): EventFields => {
    const isOwn = ({ email }: { email: string }): boolean => isOwnAddress(email, accounts)
    const own = before.attendees.find(isOwn)
    const isMoved = !hasSameTimes(before, after)
    const attendees = after.attendees.map((each) =>
      own && isOwn(each) && each.status === 'needs-action' && !isMoved
        ? { ...each, status: own.status }
        : each,
    )
    const answer = attendees.find(isOwn)?.status
    const isDeclined = answer === 'declined'
    // An event stays tentative until the user accepts it.
    const isOpen = answer === 'needs-action' || answer === 'tentative'
    const isKept = isOpen && before.status === 'tentative' && after.status === 'confirmed'
    const status = isKept ? before.status : after.status
    const { reminders } = before
    const tags = [...new Set([...before.tags, ...privateTagsOf(after.tags)])]
    return { ...after, status, reminders, tags, attendees, busy: isDeclined ? before.busy : after.busy }
  }

export interface FromEmailDeps extends Pick<Platform, 'db' | 'clock' | 'workers'> {
  saving: Saving
  write: BatchWriter
  targets: Targets
  invitationMail: InvitationMail
  mailer: Pick<SchedulingMailer, 'accounts'>
  reader: Pick<CalendarReader, 'readFile'>
  zoneOf: (userId: number) => Promise<string>
  journal: FoundJournal
}

const requireTarget = async (
  targets: Targets,
  tx: Db,
  userId: number,
  { uid, recurrenceId }: { uid: string; recurrenceId: string | null },
): Promise<Target> => {
  const target = await targets.find(tx, await listByUid(tx, userId, [uid]), recurrenceId || null)
  if (!target) throw new Error('An event that was just written does not exist.')
  return target
}

export type MailedEvents = ReturnType<typeof createMailedEvents>

/** Creates and updates events from email: invitations, cancellations, new times and replies. */
export const createMailedEvents = (deps: FromEmailDeps) => {
  const { db, saving, targets, invitationMail } = deps
  const handleReply = createReplyHandler({ targets })

  const findMail = async (view: Db, userId: number, emailId: number): Promise<MeetingMail> => {
    const mail = await invitationMail.find(view, userId, emailId)
    if (!mail) throw notFound('email')
    return mail
  }

  const revise = async (
    tx: Db,
    userId: number,
    components: readonly FoundEvent[],
    rows: readonly EventRecord[],
    mail: MeetingMail | undefined,
    accounts: readonly OwnAccount[],
  ): Promise<EmailResult> => {
    for (const each of components) {
      const own = rows.filter(({ uid }) => uid === each.entry.uid)
      const before = own.find(({ recurrenceId }) => recurrenceId === '') ?? own[0]
      const first = before?.emailId ? await invitationMail.find(tx, userId, before.emailId) : undefined
      requireAuthority(each, own, { sender: mail?.from ?? '', firstSender: first?.from ?? '' })
    }
    const origin: Origin = {
      source: 'email',
      emailId: mail?.id ?? null,
      tags: privateTagsOf(mail?.tags ?? []),
      keep: keepUserChanges(accounts),
    }
    const { named, following } = withFollowers(components, rows)
    const verdicts = await deps.write(tx, userId, named, origin)
    if (following.length > 0) await deps.write(tx, userId, following, origin)
    const done: { target: Target; outcome: Outcome }[] = []
    let reason: string | undefined
    for (const [index, verdict] of verdicts.entries()) {
      const each = components[index] as FoundEvent
      if (typeof verdict === 'object') reason ??= 'kept' in verdict ? verdict.kept : verdict.reason
      else
        done.push({
          target: await requireTarget(targets, tx, userId, each.entry),
          outcome: verdict === 'updated' && cancels(each) ? 'cancelled' : verdict,
        })
    }
    const [first] = done
    if (!first) throw refusal(reason ?? 'The calendar part of this email contains no usable event.')
    return { ...first, proposal: null, ids: done.map(({ target }) => target.row.id) }
  }

  const applyReplies = async (
    tx: Db,
    components: readonly FoundEvent[],
    rows: readonly EventRecord[],
    sender: string,
    accounts: readonly OwnAccount[],
  ): Promise<EmailResult> => {
    const results = []
    for (const each of components) results.push(await handleReply(tx, each, rows, { sender, accounts }))
    const first = results.find(({ outcome }) => outcome !== 'unchanged') ?? results[0]
    if (!first) throw new Error('The email contains no reply.')
    return { ...first, ids: results.map(({ target }) => target.row.id) }
  }

  const take = async (
    tx: Db,
    userId: number,
    components: readonly FoundEvent[],
    mail: MeetingMail | undefined,
  ): Promise<EmailResult> => {
    const method = components[0]?.method ?? 'PUBLISH'
    const alike = [REVISING, ANSWERING].find((methods) => methods.includes(method))
    if (!alike)
      throw refusal(`The calendar part has the method ${method.slice(0, 20)}, which is not supported.`)
    const meant = components.filter((each) => alike.includes(each.method ?? 'PUBLISH'))
    const rows = await lockByUid(tx, userId, [...new Set(meant.map(({ entry }) => entry.uid))])
    const accounts = await deps.mailer.accounts(tx, userId)
    return alike === REVISING
      ? revise(tx, userId, meant, rows, mail, accounts)
      : applyReplies(tx, meant, rows, mail?.from ?? '', accounts)
  }

  const takeMeeting = async (
    tx: Db,
    userId: number,
    { meeting, alternatives = [] }: { meeting: Meeting; alternatives?: FoundMeeting[] },
    mail: MeetingMail | undefined,
    zone: string,
  ): Promise<EmailResult> => {
    const requested = readMeeting(meeting, mail?.id, zone)
    const fields = { ...requested, uid: meetingUid(requested), tags: privateTagsOf(mail?.tags ?? []) }
    const [known] = await lockByUid(tx, userId, [fields.uid])
    if (!known) await saving.insert(tx, userId, fields)
    const target = await requireTarget(targets, tx, userId, { uid: fields.uid, recurrenceId: null })
    const taken = { target, proposal: null, ids: [target.row.id], alternatives }
    if (known) return { ...taken, outcome: 'unchanged' }
    return { ...taken, outcome: 'created', actionId: await deps.journal.record(tx, target.row) }
  }

  /** Returns the event as stored, with the outcome. */
  const toResponse = async (
    tx: Db,
    userId: number,
    { target: { row, one }, outcome, proposal, ids, ...found }: EmailResult,
  ) => {
    const target = await requireTarget(targets, tx, userId, {
      uid: row.uid,
      recurrenceId: one?.start ?? row.recurrenceId,
    })
    const event = await targets.show(tx, target)
    return {
      made: outcome === 'created',
      event: {
        ...event,
        outcome,
        proposal,
        conflicts: await findConflicts(tx, userId, event.id, target.fields, deps.clock.now()),
        others: [...new Set(ids)].filter((id) => id !== event.id),
        alternatives: found.alternatives ?? [],
        actionId: found.actionId ?? null,
      },
    }
  }

  const fromEmail = async (userId: number, { emailId, text, subject, meeting }: FromEmail) => {
    if (meeting && text !== undefined) throw invalid('Send a text or a meeting, not both.')
    if (text !== undefined && emailId !== undefined) throw invalid('Send a text or an emailId, not both.')
    if (subject !== undefined && text === undefined)
      throw invalidField('subject', 'is only allowed with `text`')
    const zone = await deps.zoneOf(userId)
    const view = transactionOr(db)
    const mail = emailId === undefined ? undefined : await findMail(view, userId, emailId)
    if (meeting)
      return writeWithOthers(db, async (tx) =>
        toResponse(tx, userId, await takeMeeting(tx, userId, { meeting }, mail, zone)),
      )
    if (!mail && text === undefined)
      throw invalid('Send an emailId, a text, or a meeting.', [{ path: 'emailId', message: 'is required' }])
    const context = { timezone: zone, reader: deps.reader }
    const components = await (mail ? readMail(mail, context) : readText(text as string, context))
    if (components)
      return writeWithOthers(db, async (tx) =>
        toResponse(tx, userId, await take(tx, userId, components, mail)),
      )
    const found = mail
      ? await readMailProse(
          deps.workers,
          await mail.readProse(),
          zone,
          await deps.mailer.accounts(view, userId),
        )
      : await readProse(
          deps.workers,
          { text: text as string, path: 'text', subject },
          { now: deps.clock.now().getTime(), timezone: zone },
        )
    return writeWithOthers(db, async (tx) =>
      toResponse(tx, userId, await takeMeeting(tx, userId, found, mail, zone)),
    )
  }
  return { fromEmail, take }
}
