import type { Db } from '../../database/db.ts'
import { inTransaction, transactionOr } from '../../database/transaction.ts'
import { privateTagsOf } from '../../nlu/mail/facts.ts'
import type { Language, LanguageOf } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { endOfDay, startOfDay } from '../../recurrence/time-zones.ts'
import type {
  ReservationEvent,
  ReservationEventFields,
  ReservationEvents,
} from '../calendar/reservation-events.ts'
import type { Analyses, MailToRead } from '../mail/messages/analyses.ts'
import type { ReservationTask, ReservationTaskFields, ReservationTasks } from '../tasks/reservation-tasks.ts'
import type { EngineAnalysis } from './engine-analysis.ts'
import type { Reservation, StoredReservation } from './reservation-schema.ts'
import { toDescription, toNotes } from './reservation-text.ts'

const HOUR_MS = 3_600_000
const iso = (ms: number): string => new Date(ms).toISOString()

type Mail = Pick<MailToRead, 'id' | 'date' | 'tags'>

const TASK_TYPES: ReadonlySet<Reservation['type']> = new Set(['parcel', 'invoice'] as const)

const targetOf = ({ type, start }: Reservation): 'event' | 'task' | null => {
  if (TASK_TYPES.has(type)) return 'task'
  return type === 'order' || start === null ? null : 'event'
}

/** Start and end of the event. A reservation without hours takes whole days, the last one included. */
const timesOf = ({ type, start, end }: Reservation) => {
  if (start === null) return undefined
  const isWholeDay = start.local.length === 10 || end?.local.length === 10
  const { timezone } = start
  if (isWholeDay) {
    const first = start.local.slice(0, 10)
    const last = end?.local.slice(0, 10) ?? first
    return {
      start: iso(startOfDay(first, timezone)),
      end: iso(endOfDay(last < first ? first : last, timezone)),
      allDay: true,
      timezone,
    }
  }
  const from = Date.parse(start.instant)
  const until = end === null ? 0 : Date.parse(end.instant)
  const length = type === 'event' || type === 'restaurant' ? 2 * HOUR_MS : HOUR_MS
  return { start: start.instant, end: iso(until > from ? until : from + length), allDay: false, timezone }
}

const locationOf = ({ type, from, to }: Reservation): string => {
  const place = type === 'hotel' || type === 'event' || type === 'restaurant' ? to : from
  if (place === null) return ''
  const code = place.code !== null && !place.name.includes(place.code) ? ` (${place.code})` : ''
  return [place.name + code, place.address !== place.name && place.address]
    .filter((part) => typeof part === 'string')
    .join(', ')
    .slice(0, 2000)
}

const uidOf = ({ id }: Reservation): string => `reservation-${id}@factotum`

const toEventFields = (
  one: Reservation,
  emailId: number,
  language: Language,
): ReservationEventFields | undefined => {
  const times = timesOf(one)
  if (!times) return undefined
  return {
    ...times,
    uid: uidOf(one),
    title: one.title,
    description: toDescription(one, language),
    location: locationOf(one),
    status: one.status === 'cancelled' ? 'cancelled' : one.status === 'pending' ? 'tentative' : 'confirmed',
    // A stay and a rented car take days, in which the person is not busy.
    busy: one.type !== 'hotel' && one.type !== 'car',
    emailId,
  }
}

const isClosed = ({ status }: Reservation): boolean =>
  status === 'cancelled' || status === 'paid' || status === 'delivered'

const toTaskFields = (one: Reservation, emailId: number, language: Language): ReservationTaskFields => ({
  key: one.id,
  title: one.title,
  notes: toNotes(one, language),
  dueDay: one.end?.local.slice(0, 10) ?? null,
  isDone: isClosed(one),
  emailId,
})

export type ReservationFiling = ReturnType<typeof createReservationFiling>

/** Keeps the reservations of emails as events and tasks, and compares them with those that exist. */
export const createReservationFiling = (
  deps: Pick<Platform, 'db'> & {
    analyses: Analyses
    engineAnalysis: EngineAnalysis
    events: ReservationEvents
    tasks: ReservationTasks
    languageOf: LanguageOf
  },
) => {
  const { db, analyses, engineAnalysis, tasks, languageOf } = deps

  /** A later email about the same reservation counts, even if an earlier one is opened again. */
  const isOutdated = async (
    view: Db,
    userId: number,
    mail: Mail,
    emailId: number | null,
  ): Promise<boolean> => {
    if (emailId === null || emailId === mail.id) return false
    const date = await analyses.dateOf(view, userId, emailId)
    return date !== undefined && date > mail.date
  }

  const eventState = async (
    view: Db,
    userId: number,
    mail: Mail,
    wanted: ReservationEventFields,
    known: ReservationEvent | undefined,
  ): Promise<StoredReservation['state']> => {
    if (!known) return wanted.status === 'cancelled' ? 'none' : 'new'
    const isSame = (['start', 'end', 'allDay', 'status'] as const).every(
      (name) => known[name] === wanted[name],
    )
    // The facts of one email do not change, so a difference is a change by hand.
    if (isSame || known.emailId === mail.id) return 'added'
    return (await isOutdated(view, userId, mail, known.emailId)) ? 'outdated' : 'changed'
  }

  const taskState = async (
    view: Db,
    userId: number,
    mail: Mail,
    wanted: ReservationTaskFields,
    known: ReservationTask | undefined,
  ): Promise<StoredReservation['state']> => {
    if (!known) return wanted.isDone ? 'none' : 'new'
    const isMoved = wanted.dueDay !== null && known.dueDay !== wanted.dueDay
    if (!known.isOpen || known.emailId === mail.id || !(isMoved || wanted.isDone)) return 'added'
    return (await isOutdated(view, userId, mail, known.emailId)) ? 'outdated' : 'changed'
  }

  const compare = async (
    view: Db,
    userId: number,
    mail: Mail,
    found: readonly Reservation[],
  ): Promise<StoredReservation[]> => {
    const language = await languageOf(userId)
    const events = await deps.events.find(view, userId, found.map(uidOf))
    const knownEvents = new Map(events.map((event) => [event.uid, event]))
    const keys = found.map(({ id }) => id)
    const knownTasks = new Map((await tasks.find(view, userId, keys)).map((task) => [task.key, task]))
    const compared: StoredReservation[] = []
    for (const one of found) {
      const target = targetOf(one)
      const event = target === 'event' ? toEventFields(one, mail.id, language) : undefined
      const knownEvent = knownEvents.get(uidOf(one))
      const knownTask = knownTasks.get(one.id)
      const state = event
        ? await eventState(view, userId, mail, event, knownEvent)
        : target === 'task'
          ? await taskState(view, userId, mail, toTaskFields(one, mail.id, language), knownTask)
          : 'none'
      compared.push({
        ...one,
        state,
        target,
        eventId: event ? (knownEvent?.id ?? null) : null,
        taskId: target === 'task' ? (knownTask?.id ?? null) : null,
      })
    }
    return compared
  }

  /** Analyses an email. Must not run inside a transaction, because it reads the original message. */
  const read = async (userId: number, emailId: number) => {
    const mail = await analyses.read(userId, emailId)
    const { view } = await engineAnalysis.analyze(mail)
    return { mail, reservations: view().reservations }
  }

  /** Runs in the transaction of the caller. `only` limits it to events or tasks, or to some reservations. */
  const file = async (
    tx: Db,
    userId: number,
    { mail, reservations }: { mail: Mail; reservations: readonly Reservation[] },
    only: { ids?: readonly string[] | undefined; events: boolean; tasks: boolean },
  ) => {
    const language = await languageOf(userId)
    const compared = await compare(tx, userId, mail, reservations)
    const due = compared.filter(
      ({ id, state }) => (state === 'new' || state === 'changed') && (only.ids?.includes(id) ?? true),
    )
    const tags = privateTagsOf(mail.tags)
    const wantedEvents = due
      .filter(({ target }) => only.events && target === 'event')
      .flatMap((one) => toEventFields(one, mail.id, language) ?? [])
    const wantedTasks = due
      .filter(({ target }) => only.tasks && target === 'task')
      .map((one) => toTaskFields(one, mail.id, language))
    const savedEvents = await deps.events.save(tx, userId, wantedEvents, tags)
    const savedTasks = await tasks.save(tx, userId, wantedTasks, tags)
    const kept = due.length === 0 ? compared : await compare(tx, userId, mail, reservations)
    return {
      reservations: kept,
      eventIds: kept.map(({ eventId }) => eventId).filter((id) => id !== null),
      taskIds: kept.map(({ taskId }) => taskId).filter((id) => id !== null),
      actionIds: [savedEvents.actionId, savedTasks.actionId].filter((id) => id !== null),
    }
  }

  return {
    read,
    file,

    /** Lists the reservations of an email with their state. */
    async list(userId: number, emailId: number): Promise<{ reservations: StoredReservation[] }> {
      const { mail, reservations } = await read(userId, emailId)
      return { reservations: await compare(transactionOr(db), userId, mail, reservations) }
    },

    add: (userId: number, found: Awaited<ReturnType<typeof read>>, ids: readonly string[] | undefined) =>
      inTransaction(db, async (tx) => {
        await analyses.hold(tx, userId, found.mail.id)
        return file(tx, userId, found, { ids, events: true, tasks: true })
      }),
  }
}
