import type { Db } from '../../../database/db.ts'
import { type EventRecord, fieldsOf } from '../event.ts'
import type { Told } from '../icalendar/entry.ts'
import { cancels, isNews, nameOf } from '../imports/batch.ts'
import { isSameAddress } from './addresses.ts'
import { answeredAt, replyStamp } from './answers-in.ts'
import { isMadeHere, isOrganizedHere, nameIn } from './authority.ts'
import type { MailTrust, OwnAccount } from './mail.ts'
import type { Targets } from './targets.ts'

/**
 * `new`: the meeting is not in the calendar. `ready`: the mail changes the event by itself. `current`: it says nothing
 * new. `waiting`: a person may apply it. `refused`: nobody may.
 */
export type UpdateState = 'new' | 'ready' | 'current' | 'waiting' | 'refused'

export interface Decision {
  state: UpdateState
  /** Why it is not applied by itself; null where there is nothing to explain. */
  reason: string | null
}

export interface UpdateContext {
  /** Events with the UIDs that the mail names. */
  rows: readonly EventRecord[]
  accounts: readonly OwnAccount[]
  sender: string
  folder: string
  trust: MailTrust
  /** Who sent the mail that an event was created from. */
  firstSenderOf: (event: EventRecord) => Promise<string>
}

const NEVER_APPLIED = ['trash', 'junk', 'spam']
const READY: Decision = { state: 'ready', reason: null }
const CURRENT: Decision = { state: 'current', reason: null }

const waiting = (reason: string): Decision => ({ state: 'waiting', reason })
const refused = (reason: string): Decision => ({ state: 'refused', reason })

const senderIn = ({ sender }: UpdateContext): string => sender || 'an unknown sender'

/** Undefined when the mail server has nothing against the mail. */
const distrust = (context: UpdateContext): Decision | undefined => {
  const { folder, trust } = context
  if (trust.isSpam || NEVER_APPLIED.includes(folder))
    return waiting(`Sent by ${senderIn(context)}. Mail in spam or trash changes no event by itself.`)
  if (trust.sender === 'failed')
    return waiting(`Your mail server could not confirm that this mail is from ${senderIn(context)}.`)
  return undefined
}

/** RFC 5546, 2.1.5: SEQUENCE first, then the time of the revision. */
const isOlder = ({ sequence, revisedAt }: Told['entry'], row: EventRecord): boolean =>
  sequence < row.sequence ||
  (sequence === row.sequence && (revisedAt ?? '') < (row.revisedAt ?? row.updatedAt))

/** Decides whether a mail may change an event without anybody asking. Stricter than what a person may apply. */
export const createUpdateDecision = ({ targets }: { targets: Pick<Targets, 'find'> }) => {
  const decideAge = async (view: Db, told: Told, own: readonly EventRecord[], isRenewed: boolean) => {
    const { entry } = told
    const same = own.find((row) => nameOf(row) === nameOf(entry))
    const series = own.find(({ recurrenceId }) => recurrenceId === '')
    const stored = same ?? series
    if (!stored) return waiting('The series that it belongs to is not in the calendar.')
    // An occurrence that comes with a later revision of its series is part of that revision.
    if (!same && isRenewed) return READY
    if (!same && !(await targets.find(view, own, entry.recurrenceId)))
      return waiting(`${nameIn(stored)} has no such occurrence.`)
    if (cancels(told)) {
      if (stored.status === 'cancelled') return CURRENT
      return isOlder(entry, stored) ? waiting('It is older than the version in the calendar.') : READY
    }
    if (told.kind === 'undated') return waiting('It does not say when the event is.')
    return (same ? isNews(entry, same) : !isOlder(entry, stored)) ? READY : CURRENT
  }

  const decideRevision = async (
    view: Db,
    each: Told,
    context: UpdateContext,
    renewed: ReadonlySet<string>,
  ): Promise<Decision> => {
    const { entry, method } = each
    const own = context.rows.filter(({ uid }) => uid === entry.uid)
    const known = own.find(({ recurrenceId }) => recurrenceId === '') ?? own[0]
    const sentBy = `Sent by ${senderIn(context)}`
    if (!known) {
      if (cancels(each)) return refused(`${sentBy}. It cancels an event that is not in the calendar.`)
      const isOwn = !entry.organizer || isSameAddress(context.sender, entry.organizer.email)
      const reason = isOwn ? null : `${sentBy}, who is not the organizer ${entry.organizer?.email}.`
      return { state: 'new', reason }
    }
    const event = fieldsOf(known)
    const { organizer } = event
    if (isMadeHere(event))
      return refused(`${sentBy}. ${nameIn(event)} was created here: mail cannot change it.`)
    if (organizer && entry.organizer && !isSameAddress(organizer.email, entry.organizer.email))
      return refused(
        `${sentBy}. It names ${entry.organizer.email} as the organizer; ${nameIn(event)} is organized by ${organizer.email}.`,
      )
    if (!organizer || !isSameAddress(context.sender, organizer.email)) {
      const reason = organizer
        ? `${sentBy}, who is not the organizer ${organizer.email}.`
        : `${sentBy}. ${nameIn(event)} has no organizer.`
      const isFirst = isSameAddress(context.sender, await context.firstSenderOf(known))
      return isFirst ? waiting(reason) : refused(reason)
    }
    if (method !== 'REQUEST' && method !== 'CANCEL')
      return waiting(`${sentBy}. Published events change nothing by themselves.`)
    return distrust(context) ?? decideAge(view, each, own, renewed.has(entry.uid))
  }

  const decideReply = async (view: Db, told: Told, context: UpdateContext): Promise<Decision> => {
    const { entry, method } = told
    const { rows, accounts, sender } = context
    const own = rows.filter(({ uid }) => uid === entry.uid)
    const target = await targets.find(view, own, entry.recurrenceId)
    const sentBy = `Sent by ${senderIn(context)}`
    if (!target) return refused(`${sentBy}. It answers for an event that is not in the calendar.`)
    const { fields, record } = target
    if (method !== 'REPLY')
      return waiting(method === 'COUNTER' ? `${sentBy}, who proposes another time.` : `${sentBy}.`)
    if (!isOrganizedHere(fields, accounts))
      return refused(`${sentBy}. You are not the organizer of ${nameIn(fields)}.`)
    const guest = fields.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!guest) return refused(`${sentBy}, who is not invited to ${nameIn(fields)}.`)
    const said = entry.attendees.find(({ email }) => isSameAddress(email, sender))
    if (!said) return refused(`${sentBy}, who cannot reply for ${entry.attendees[0]?.email ?? 'nobody'}.`)
    if (entry.sequence < record.sequence)
      return refused(`${sentBy}, who replied to an earlier version of ${nameIn(fields)}.`)
    if (said.status === 'needs-action') return CURRENT
    const [stampedAt, before] = [replyStamp(told), answeredAt(record.extra, guest.email)]
    if (before !== '' && stampedAt === null)
      return waiting(`${sentBy}. The reply does not say when it was written.`)
    if (before !== '' && (stampedAt as string) <= before) return CURRENT
    return distrust(context) ?? READY
  }

  /** Of all that a mail says; `told` is what is ready to be applied. */
  return async (
    view: Db,
    told: readonly Told[],
    context: UpdateContext,
  ): Promise<Decision & { told: Told[] }> => {
    const isAnswer = (each: Told): boolean =>
      ['REPLY', 'COUNTER', 'DECLINECOUNTER', 'REFRESH'].includes(each.method ?? '')
    const renewed = new Set(
      told.flatMap(({ entry }) => {
        const row = context.rows.find((each) => nameOf(each) === nameOf(entry))
        return entry.recurrenceId === null && row && isNews(entry, row) ? [entry.uid] : []
      }),
    )
    const decisions: Decision[] = []
    for (const each of told)
      decisions.push(
        isAnswer(each)
          ? await decideReply(view, each, context)
          : await decideRevision(view, each, context, renewed),
      )
    const first = (...states: UpdateState[]): Decision | undefined =>
      states.flatMap((state) => decisions.find((one) => one.state === state) ?? [])[0]
    // All of a mail is applied or none of it: half of a revision may contradict the other half.
    const stays = first('refused', 'waiting', 'new')
    if (stays) return { ...stays, told: [] }
    return {
      ...(first('ready') ?? CURRENT),
      told: told.filter((_, index) => decisions[index]?.state === 'ready'),
    }
  }
}
