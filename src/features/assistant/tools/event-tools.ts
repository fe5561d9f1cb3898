import Type from 'typebox'
import { requireScope } from '../../../platform/access/caller.ts'
import { conflict } from '../../../platform/errors.ts'
import { isSameJson } from '../../../platform/fingerprint.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { readInstant } from '../../../platform/time.ts'
import type { Event } from '../../calendar/event.ts'
import type { Events } from '../../calendar/events.ts'
import type { EventChange, NewEvent } from '../../calendar/schema.ts'
import { near, says } from './commands.ts'
import type { ToolResult } from './contracts.ts'
import {
  Changed,
  ChangedItem,
  changedError,
  fieldsOf,
  pickValues,
  recreate,
  unlessChanged,
} from './journal.ts'
import { formatStart, getProposalTexts, listGuests } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { defineTool, type Outcome, type Tool, type ToolUse, type WriteProposal } from './tool.ts'

/** Returns the fields for a model, without the version. */
const viewOf = <E extends { version: number }>({ version: _, ...view }: E): Omit<E, 'version'> => view

/** Returns the fields to recreate a deleted event from. */
const recreatedFields = (event: Event): NewEvent => {
  const { id, recurringEventId, occurrenceStart, createdAt, updatedAt, changedBy, mirrorOf, ...fields } =
    event
  return fields
}

const EVENT = 'events?|appointments?|meetings?|entry|calls?'
const CREATE_VERBS = says({
  words: [
    'add|create|schedule|book|put|plan|set up|enter|block|arrange|neuer termin',
    `new (?:${EVENT})`,
    near('make', EVENT),
  ],
  stems: ['trag|erstell|leg|plan|buch|füg|setz|vereinbar'],
})
const MOVE_VERBS = says({
  words: ['move|reschedule|shift|postpone|push|delay|change', near('bring', 'forward|ahead|earlier')],
  stems: ['verschieb|verleg|leg|änder'],
})
const CHANGE_VERBS = says({
  words: ['change|update|rename|add|invite|set|edit|include'],
  stems: ['änder|benenn|füg|lad|setz|ergänz|trag|nimm|nehm'],
})
const CANCEL_VERBS = says({
  words: ['cancel|delete|remove', near('call', 'off')],
  stems: ['absag|stornier|streich|lösch|entfern', near('sag', 'ab(?!\\p{L})')],
})

const isDay = (moment: string): boolean => /^\d{4}-\d\d-\d\d$/.test(moment)

interface EventReference {
  id: number
  occurrence?: string
}

/** Throws if the event is private and the result would go to a model. */
const getOpenEvent = async (
  { events, privacy }: ToolDeps,
  { id, occurrence }: EventReference,
  use: ToolUse,
) => {
  const event = await events.get(use.userId, id, occurrence)
  await privacy.requireOpen('event', event, use)
  return event
}

const listOtherGuests = async (
  { guests, ownAddresses }: ToolDeps,
  id: number,
  { caller, userId }: ToolUse,
): Promise<string[]> => guests.ofEvent(userId, id, await ownAddresses(caller))

/** A CalDAV server may mail the guests of an event that changes (RFC 6638, section 3.2.1). */
const reachesGuests = async (deps: ToolDeps, { id }: EventReference, use: ToolUse): Promise<boolean> =>
  (await listOtherGuests(deps, id, use)).length > 0

type Sentence = (words: ReturnType<typeof getProposalTexts>, event: Event, when: string) => string

/** Describes a change to an event for the person, and names the guests who may be notified. */
const proposeChange = async (
  deps: ToolDeps,
  reference: EventReference,
  use: ToolUse,
  sentence: Sentence,
): Promise<WriteProposal> => {
  const event = await getOpenEvent(deps, reference, use)
  await deps.events.requireEditor(use.userId, reference.id, { occurrence: reference.occurrence })
  const words = getProposalTexts(use.language)
  const others = await listOtherGuests(deps, reference.id, use)
  const notice = others.length > 0 ? words.mayNotify(listGuests(others, use.language)) : ''
  const when = formatStart(event, await deps.zoneOf(use.userId), use.language)
  const isSeries = event.recurrence !== null && reference.occurrence === undefined
  return {
    summary: sentence(words, event, when) + (isSeries ? words.wholeSeries : '') + notice,
    about: { kind: 'event', id: reference.id, version: event.version },
    reachesOthers: others.length > 0,
    target: {
      kind: 'event',
      id: reference.id,
      titles: [event.title],
      people: event.attendees.map(({ name, email }) => ({ name: name ?? '', address: email })),
      start: event.start,
      ...(isSeries && { isSeries: true as const }),
    },
  }
}

/** Formats a moment of the input in the timezone of the person. */
const formatMoment = async (deps: ToolDeps, moment: string, use: ToolUse): Promise<string> => {
  const timezone = await deps.zoneOf(use.userId)
  const start = readInstant('start', moment, timezone)
  return formatStart({ start, allDay: isDay(moment), timezone }, timezone, use.language)
}

const listEventsTool = ({ contracts, events, privacy }: ToolDeps): Tool =>
  defineTool(contracts.list_events, {
    async run({ limit = 50, ...window }, use) {
      const found = await events.list(use.userId, { ...window, limit }, { originals: true })
      const { visible, hasPrivate } = await privacy.filter('event', found.events, use)
      return {
        result: { events: visible, more: found.nextCursor !== null },
        emails: visible.flatMap(({ emailId }) => emailId ?? []),
        isPrivate: !use.sendsToModel && hasPrivate,
      }
    },
  })

const defineCreateRecord = ({ events, journal }: ToolDeps) =>
  journal.define('event', 'assistant.event_created', Type.Object(ChangedItem), (left, _tx, userId) =>
    unlessChanged('event', left, (etag) => events.remove(userId, left.id, {}, etag)),
  )

const MAX_CALENDARS = 100

const findCalendarName = async (
  { calendars }: ToolDeps,
  userId: number,
  calendarId: number,
): Promise<string | undefined> =>
  (await calendars.list(userId, { limit: MAX_CALENDARS })).calendars.find(({ id }) => id === calendarId)?.name

const createEventTool = (deps: ToolDeps): Tool => {
  const { events, guests, ownAddresses } = deps
  const record = defineCreateRecord(deps)
  return defineTool(deps.contracts.create_event, {
    verbs: () => [CREATE_VERBS],
    async needsConfirmation({ attendees = [] }, { caller }) {
      return guests.ofAttendees(attendees, await ownAddresses(caller)).length > 0
    },
    async propose({ title, start, attendees = [] }, use) {
      const others = guests.ofAttendees(attendees, await ownAddresses(use.caller))
      const when = await formatMoment(deps, start, use)
      const named = listGuests(others, use.language)
      return {
        summary: getProposalTexts(use.language).createEvent(title, when, named),
        about: null,
        reachesOthers: others.length > 0,
        target: null,
      }
    },
    run: (eventInput, { userId }) =>
      record(userId, async () => {
        const { event } = await events.create(userId, { ...eventInput, source: 'chat' })
        const calendarName = await findCalendarName(deps, userId, event.calendarId)
        const result = { ...viewOf(event), ...(calendarName !== undefined && { calendarName }) }
        const payload = { id: event.id, version: event.version }
        return { result, summary: `Added “${result.title}” to the calendar`, payload }
      }),
  })
}

const ChangedEvent = Type.Object({
  ...Changed,
  occurrence: Type.Union([Type.String(), Type.Null()]),
  before: fieldsOf<EventChange>(),
  /** State of the occurrence after the change. Occurrences have no version of their own. */
  after: Type.Optional(fieldsOf<EventChange>()),
})

const restoreOccurrence = async (
  events: Events,
  userId: number,
  { id, occurrence }: { id: number; occurrence: string },
  { before, after }: { before: EventChange; after?: EventChange },
) => {
  const now = pickValues(await events.get(userId, id, occurrence), Object.keys(after ?? {}))
  if (after && !isSameJson(now, after)) throw changedError('event')
  return events.change(userId, id, before, { occurrence }, undefined)
}

const defineChangeRecord = ({ events, journal }: ToolDeps) =>
  journal.define('event', 'assistant.event_changed', ChangedEvent, ({ occurrence, ...left }, _tx, userId) =>
    unlessChanged('event', left, (etag) =>
      occurrence === null
        ? events.change(userId, left.id, left.before, {}, etag)
        : restoreOccurrence(events, userId, { id: left.id, occurrence }, left),
    ),
  )

type ChangeEvent = (
  reference: EventReference,
  eventInput: EventChange,
  verb: string,
  use: ToolUse,
) => Promise<Outcome<ToolResult<'update_event'>>>

/** Changes an event or one occurrence and records the change in the undo journal. */
const createEventChange = (deps: ToolDeps): ChangeEvent => {
  const record = defineChangeRecord(deps)
  return (reference, eventInput, verb, use) =>
    record(use.userId, async () => {
      const { id, occurrence } = reference
      const found = await getOpenEvent(deps, reference, use)
      // A sync may have added guests since the call was checked. The ETag detects guests added later.
      if (!use.isConfirmed && (await reachesGuests(deps, reference, use)))
        throw conflict(
          `“${found.title}” now has guests. Call the tool again, so that the person can confirm.`,
        )
      const target = occurrence === undefined ? {} : { occurrence }
      const changed = await deps.events.change(use.userId, id, eventInput, target, etagOf(found))
      const result = viewOf(changed)
      // Restore start and end together, so that undo keeps the duration.
      const names = new Set([
        ...Object.keys(eventInput),
        ...('start' in eventInput || 'end' in eventInput ? ['start', 'end'] : []),
      ])
      const payload = {
        id,
        version: changed.version,
        ...(occurrence === undefined ? { found: found.version } : { after: pickValues(result, [...names]) }),
        occurrence: occurrence ?? null,
        before: pickValues(found, [...names]),
      }
      return { result, summary: `${verb} “${result.title}”`, payload }
    })
}

const moveEventTool = (deps: ToolDeps, change: ChangeEvent): Tool =>
  defineTool(deps.contracts.move_event, {
    verbs: () => [MOVE_VERBS],
    needsConfirmation: (input, use) => reachesGuests(deps, input, use),
    async propose(input, use) {
      const to = await formatMoment(deps, input.start, use)
      return proposeChange(deps, input, use, (words, { title }, when) => words.moveEvent(title, when, to))
    },
    run: ({ id, occurrence, ...times }, use) =>
      change({ id, ...(occurrence !== undefined && { occurrence }) }, times, 'Moved', use),
  })

const updateEventTool = (deps: ToolDeps, change: ChangeEvent): Tool =>
  defineTool(deps.contracts.update_event, {
    verbs: () => [CHANGE_VERBS],
    needsConfirmation: (input, use) => reachesGuests(deps, input, use),
    propose: (input, use) =>
      proposeChange(deps, input, use, (words, { title }, when) => words.changeEvent(title, when)),
    async run({ id, occurrence, addAttendees = [], removeAttendees = [], ...eventInput }, use) {
      const reference = { id, ...(occurrence !== undefined && { occurrence }) }
      const isOther = addAttendees.length + removeAttendees.length > 0
      const attendees =
        isOther && (await mergeAttendees(deps, reference, { addAttendees, removeAttendees }, use))
      return change(reference, { ...eventInput, ...(attendees && { attendees }) }, 'Changed', use)
    },
  })

/** Returns the attendees of an event without some and together with new ones. An address counts once. */
const mergeAttendees = async (
  deps: ToolDeps,
  reference: EventReference,
  { addAttendees: added, removeAttendees }: { addAttendees: string[]; removeAttendees: string[] },
  use: ToolUse,
) => {
  const removed = removeAttendees.map((address) => address.toLowerCase())
  const before = (await getOpenEvent(deps, reference, use)).attendees
  const attendees = before.filter(({ email }) => !removed.includes(email.toLowerCase()))
  const known = new Set(attendees.map(({ email }) => email.toLowerCase()))
  const addressOf = (written: string): string => (/<([^<>]+)>\s*$/.exec(written)?.[1] ?? written).trim()
  return [...attendees, ...added.filter((one) => !known.has(addressOf(one).toLowerCase()))]
}

/** An invitation is an email to other people, so the person confirms it first. */
const inviteGuestsTool = (deps: ToolDeps): Tool =>
  defineTool(deps.contracts.invite_guests, {
    async propose({ id }, use) {
      requireScope(use.caller, 'mail:write')
      const event = await getOpenEvent(deps, { id }, use)
      await deps.events.requireEditor(use.userId, id)
      const others = await listOtherGuests(deps, id, use)
      if (others.length === 0) throw conflict(`“${event.title}” has no other attendees to invite.`)
      return {
        summary: getProposalTexts(use.language).invite(event.title, listGuests(others, use.language)),
        about: { kind: 'event', id, version: event.version },
      }
    },
    async run({ id }, { userId }) {
      const { attendees, version } = await deps.events.get(userId, id)
      const changed = await deps.inviting.change(userId, id, { attendees }, {}, etagOf({ id, version }))
      return { result: viewOf(changed) }
    },
  })

const cancelEventTool = (deps: ToolDeps, change: ChangeEvent): Tool =>
  defineTool(deps.contracts.cancel_event, {
    verbs: () => [CANCEL_VERBS],
    needsConfirmation: (input, use) => reachesGuests(deps, input, use),
    propose: (input, use) =>
      proposeChange(deps, input, use, (words, { title }, when) => words.cancelEvent(title, when)),
    run: (which, use) => change(which, { status: 'cancelled' }, 'Cancelled', use),
  })

const defineDeleteRecord = ({ events, journal }: ToolDeps) =>
  journal.define(
    'event',
    'assistant.event_deleted',
    Type.Object({ before: fieldsOf<NewEvent>() }),
    ({ before }, _tx, userId) => recreate(before, (fields) => events.create(userId, fields)),
  )

const deleteEventTool = (deps: ToolDeps): Tool => {
  const { events } = deps
  const record = defineDeleteRecord(deps)
  return defineTool(deps.contracts.delete_event, {
    propose: (input, use) =>
      proposeChange(deps, input, use, (words, { title }, when) => words.deleteEvent(title, when)),
    run: ({ id }, { userId }) =>
      record(userId, async () => {
        const { version, ...event } = await events.get(userId, id)
        await events.remove(userId, id, {}, etagOf({ id, version }))
        return {
          result: { deleted: id },
          summary: `Deleted “${event.title}”`,
          payload: { before: recreatedFields(event) },
        }
      }),
  })
}

export const createEventTools = (deps: ToolDeps): Tool[] => {
  const change = createEventChange(deps)
  return [
    listEventsTool(deps),
    createEventTool(deps),
    moveEventTool(deps, change),
    updateEventTool(deps, change),
    cancelEventTool(deps, change),
    deleteEventTool(deps),
    inviteGuestsTool(deps),
  ]
}
