import { addMonths } from '../../../nlu/dates/calendar.ts'
import type { Edit, Point } from '../../../nlu/requests/edit.ts'
import { type AbilityHandler, DAY_MS, type InterpreterContext } from './context.ts'
import { describeEvent, type Event, findTarget } from './events.ts'
import type { Item, Option } from './memory.ts'
import { addressOf, findPeople } from './people.ts'
import { describeRecurrence, describeTaskDetails } from './readback.ts'
import { findTask, type Task } from './tasks.ts'

/* Carries out changes of a known item. Each is relative to the own time of the item. */

/** Local times are encoded as UTC milliseconds. */
const dayOf = (wall: number): number => Math.floor(wall / DAY_MS)

const shiftWall = (wall: number, { months, days, seconds }: NonNullable<Edit['shift']>): number =>
  addMonths(dayOf(wall), months) * DAY_MS + (wall % DAY_MS) + days * DAY_MS + seconds * 1000

/** A day keeps the hour, and an hour keeps the day. */
const atPoint = (wall: number, { day, seconds }: Point): number =>
  (day ?? dayOf(wall)) * DAY_MS + (seconds === undefined ? wall % DAY_MS : seconds * 1000)

const toWallText = (wall: number, isDay: boolean): string =>
  new Date(wall).toISOString().slice(0, isDay ? 10 : 16)

/** Returns the new start and end, or undefined if neither changes. The end of days is exclusive. */
const moveTimes = (
  start: number,
  end: number,
  isDay: boolean,
  edit: Edit,
): { start: number; end: number } | undefined => {
  const { shift, growth, minutes } = edit
  if (!(shift || growth || minutes || edit.start || edit.end)) return undefined
  const placed = edit.start ? atPoint(start, edit.start) : start
  const begins = shift ? shiftWall(placed, shift) : placed
  const length = minutes === undefined ? end - start + (growth ?? 0) * 60_000 : minutes * 60_000
  if (!edit.end) return { start: begins, end: begins + length }
  const last = atPoint(begins + (isDay ? end - start - DAY_MS : 0), edit.end)
  return { start: begins, end: isDay ? last + DAY_MS : last }
}

/** Finds the addresses of the people to add. A name that fits several contacts becomes a question. */
const findAddresses = async (
  context: InterpreterContext,
  edit: Edit,
  item: Item,
): Promise<{ guests: string[]; unknown: string[] } | string> => {
  const names = edit.addPeople ?? []
  const people = await findPeople(
    context,
    names.flatMap((name) => name.split(/\s+/u)),
  )
  const guests: string[] = []
  const unknown: string[] = []
  for (const name of names) {
    if (name.includes('@')) {
      guests.push(name)
      continue
    }
    const fits = people.find(name).filter((one) => addressOf(one) !== undefined)
    if (fits.length > 1) {
      const options = fits.map((one): Option => {
        const addPeople = names.map((other) => (other === name ? (addressOf(one) as string) : other))
        return {
          label: addressOf(one) as string,
          intent: { ability: 'edit_item', arguments: { ...edit, addPeople } },
          target: item,
        }
      })
      return context.askWhich((list) => context.texts.abilities.whichPerson(name, list), options)
    }
    const address = fits[0] && addressOf(fits[0])
    if (address) guests.push(address)
    else unknown.push(name)
  }
  return { guests, unknown }
}

/** The addresses of the guests of an event whom some names mean. */
const matchGuests = ({ attendees }: Event, names: readonly string[]): string[] =>
  attendees
    .filter(({ name, email }) =>
      names.some((one) => `${name ?? ''} ${email}`.toLowerCase().includes(one.toLowerCase())),
    )
    .map(({ email }) => email)

const describeTimes = (
  { formatInstant, clock, day }: InterpreterContext,
  { start, end, allDay, timezone }: Event,
): string =>
  allDay
    ? `${day(start, timezone)}${Date.parse(end) - Date.parse(start) > DAY_MS ? ` – ${day(Date.parse(end) - 1, timezone)}` : ''}`
    : `${formatInstant(start)}–${day(start) === day(end) ? '' : `${day(end)}, `}${clock(end)}`

const NAME_AFTER = /(?<=\s(?:with|mit)\s)\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)*/u
const NAME_AT_END = /(?<=\s)\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*)*$/u

/** "Call with Grace" becomes "Call with James". */
const withPerson = (title: string, person: string | undefined): string | undefined =>
  person === undefined ? undefined : title.replace(NAME_AFTER.test(title) ? NAME_AFTER : NAME_AT_END, person)

const editEvent = async (context: InterpreterContext, given: Edit, item: Item): Promise<string> => {
  const { callTool, wall, instant, texts, formatOutcome } = context
  const event = await findTarget(context, item)
  if (!event) return texts.unknown.event
  const title = given.title ?? withPerson(event.title, given.replacePerson)
  const edit = { ...given, ...(title !== undefined && { title }) }
  const [start, end] = event.allDay
    ? ([event.start, event.end].map((at) => Date.parse(`${toWallText(wall(at), true)}T00:00Z`)) as [
        number,
        number,
      ])
    : [wall(event.start), wall(event.end)]
  const target = { id: event.id, occurrence: item.occurrence }
  const moved = moveTimes(start, end, event.allDay && edit.start?.seconds === undefined, edit)
  if (moved && moved.end <= moved.start) return context.ask(texts.missing('the new time'), [])
  const isDay = event.allDay && edit.start?.seconds === undefined
  const toMoment = (at: number): string => (isDay ? toWallText(at, true) : instant(toWallText(at, false)))
  if (edit.isCopy) {
    const outcome = await callTool('create_event', {
      title: edit.title ?? event.title,
      start: toMoment(moved?.start ?? start),
      end: toMoment(moved?.end ?? end),
      ...(isDay && { allDay: true }),
      location: edit.place ?? (event.location || undefined),
    })
    return formatOutcome(
      outcome,
      outcome.status === 'done'
        ? texts.booked(outcome.result.title, describeTimes(context, outcome.result))
        : '',
    )
  }
  const added = await findAddresses(context, edit, item)
  if (typeof added === 'string') return added
  const removeAttendees = matchGuests(event, edit.removePeople ?? [])
  const names = added.unknown
  const isRenamed = names.length > 0 || edit.title !== undefined
  const changes = {
    ...(isRenamed && {
      title: edit.title ?? `${event.title} ${texts.withPeople} ${names.join(` ${texts.and} `)}`,
    }),
    ...(edit.place !== undefined && { location: edit.place }),
    ...(added.guests.length > 0 && { addAttendees: added.guests }),
    ...(removeAttendees.length > 0 && { removeAttendees }),
    ...(edit.recurrence !== undefined && { recurrence: edit.recurrence }),
  }
  const lines: string[] = []
  if (moved) {
    const outcome = await callTool('move_event', {
      ...target,
      start: toMoment(moved.start),
      end: toMoment(moved.end),
    })
    const said = outcome.status === 'done' ? describeTimes(context, outcome.result) : ''
    lines.push(formatOutcome(outcome, texts.moved(event.title, said)))
  }
  if (Object.keys(changes).length > 0) {
    const outcome = await callTool('update_event', { ...target, ...changes })
    const details = [
      edit.place !== undefined && texts.details.place(edit.place),
      edit.recurrence !== undefined && texts.details.repeats(describeRecurrence(context, edit.recurrence)),
      added.guests.length > 0 && texts.details.people(added.guests.join(', ')),
      removeAttendees.length > 0 && texts.abilities.withoutPeople(removeAttendees.join(', ')),
    ]
    lines.push(
      formatOutcome(outcome, texts.changed(changes.title ?? event.title, details.filter(Boolean).join(', '))),
    )
    if (added.guests.length > 0 && outcome.status === 'done' && !item.occurrence) {
      const invitation = await callTool('invite_guests', { id: event.id })
      if (invitation.status === 'needs_confirmation') lines.push(formatOutcome(invitation, ''))
    }
  }
  if (edit.remindAt || edit.remindBefore !== undefined)
    lines.push(await remindOf(context, edit, event, start))
  return lines.length > 0 ? lines.join(' ') : describeEvent(context, event)
}

/** A reminder of an event is a task. */
const remindOf = async (
  { callTool, instant, formatOutcome, formatWall, texts }: InterpreterContext,
  { remindAt, remindBefore = 0, remindOf: about, title }: Edit,
  event: Event,
  start: number,
): Promise<string> => {
  const at = remindAt
    ? remindAt.day * DAY_MS + (remindAt.seconds ?? 9 * 3600) * 1000
    : start - remindBefore * 60_000
  const due = toWallText(at, false)
  const outcome = await callTool('create_task', {
    title: about ?? title ?? event.title,
    dueAt: instant(due),
    remindAt: instant(due),
  })
  return formatOutcome(
    outcome,
    texts.added(about ?? title ?? event.title, texts.details.reminder(formatWall(due))),
  )
}

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

const editTask = async (context: InterpreterContext, given: Edit, task: Task): Promise<string> => {
  const { callTool, lookUp, wall, now, toToolTime, instant, texts, formatOutcome } = context
  const renamed = given.title ?? withPerson(task.title, given.replacePerson)
  const edit = { ...given, ...(renamed !== undefined && { title: renamed }) }
  const isDay = task.dueDay !== null && (edit.shift?.seconds ?? 0) === 0 && edit.start?.seconds === undefined
  const today = wall(new Date(now).toISOString())
  const at = task.dueDay ? Date.parse(`${task.dueDay}T00:00Z`) : task.dueAt ? wall(task.dueAt) : undefined
  const moved = edit.start
    ? atPoint(at ?? dayOf(today) * DAY_MS, edit.start)
    : edit.shift
      ? shiftWall(at ?? today, edit.shift)
      : undefined
  const hasClock = edit.start ? edit.start.seconds !== undefined || task.dueDay === null : !isDay
  const due =
    moved === undefined
      ? undefined
      : toWallText(moved, !(hasClock && (at !== undefined || edit.start?.seconds !== undefined)))
  const remind = edit.remindAt
    ? toWallText(edit.remindAt.day * DAY_MS + (edit.remindAt.seconds ?? 9 * 3600) * 1000, false)
    : edit.remindBefore !== undefined && at !== undefined
      ? toWallText(at - edit.remindBefore * 60_000, false)
      : undefined
  const list = edit.list
    ? (await lookUp('list_task_lists', {}))?.taskLists.find(
        ({ name }) => name.toLowerCase() === edit.list?.toLowerCase(),
      )
    : undefined
  const fields = {
    title: edit.title,
    dueAt: toToolTime(due),
    remindAt: remind && instant(remind),
    recurrence: edit.recurrence,
    priority: edit.priority,
    listId: list?.id,
    tags: edit.tag ? [...new Set([...task.tags, edit.tag])] : undefined,
  }
  const details = describeTaskDetails(context, {
    due,
    remindAt: remind,
    recurrence: edit.recurrence,
    priority: edit.priority,
    list: list?.name ?? edit.tag,
  })
  if (edit.isCopy) {
    const title = edit.title ?? task.title
    const outcome = await callTool('create_task', {
      ...fields,
      title: capitalize(title),
      listId: task.listId,
    })
    return formatOutcome(outcome, texts.added(capitalize(title), details))
  }
  const outcome = await callTool('update_task', { id: task.id, ...fields })
  return formatOutcome(outcome, texts.changed(edit.title ?? task.title, details))
}

/** Changes the item that the conversation is about. */
export const editItem: AbilityHandler<'edit_item'> = async (context, edit) => {
  const { target } = context.exchange
  if (target?.kind === 'event') return editEvent(context, edit, target)
  const task = target?.kind === 'task' ? await findTask(context, target) : undefined
  return task ? editTask(context, edit, task) : context.texts.unknown.task(target?.title ?? '')
}
