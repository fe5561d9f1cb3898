import { findMentions, type Mention } from '../../../nlu/requests/mentions.ts'
import { hasPhrase, type Sentence } from '../../../nlu/requests/sentence.ts'
import { DAY_MS, type InterpreterContext, toIso } from './context.ts'
import { type Event, findTarget, lookUpEvents, toItem as toEventItem } from './events.ts'
import type { Item } from './memory.ts'
import { findOpenTasks, findTask, type Task, toItem as toTaskItem } from './tasks.ts'

/* The events and tasks that a message names. */

/** An event or task that a message is about, with the tokens that name it and the share of its title that they are. */
export type Named = { at: readonly number[]; score: number; item: Item } & (
  | { kind: 'event'; event: Event; isOnDay: boolean }
  | { kind: 'task'; task: Task }
)

const DAYS_BEFORE = 1
const DAYS_AHEAD = 90

/** The days that a message names, as local dates. */
const daysIn = ({ times }: Sentence): string[] =>
  times
    .filter(({ dated, start, kind }) => dated && start && kind !== 'recurrence')
    .map(({ start }) => new Date((start as { day: number }).day * DAY_MS).toISOString().slice(0, 10))

/** Returns the occurrence on a named day, otherwise the next one. */
const pickOccurrence = (
  { wall, now }: InterpreterContext,
  events: readonly Event[],
  days: readonly string[],
): { event: Event; isOnDay: boolean } => {
  const dayOf = (event: Event): string => toIso(wall(event.start)).slice(0, 10)
  const onDay = events.find((one) => days.includes(dayOf(one)))
  const next = events.find(({ end }) => Date.parse(end) > now)
  return { event: onDay ?? next ?? (events.at(-1) as Event), isOnDay: onDay !== undefined }
}

/** Loads the item that the conversation is about. A named day selects the occurrence of a series. */
export const findFocus = async (
  context: InterpreterContext,
  sentence: Sentence,
  item: Item | null,
): Promise<Named | undefined> => {
  const about = { at: [], score: 1 }
  if (item?.kind === 'event') {
    const event = await findTarget(context, item)
    const days = daysIn(sentence)
    if (event && (event.occurrenceStart === null || days.length === 0))
      return { kind: 'event', ...about, event, isOnDay: false, item }
    const { now } = context
    const events = await lookUpEvents(context, toIso(now), toIso(now + DAYS_AHEAD * DAY_MS))
    const series = events.filter(({ id }) => id === item.id)
    const picked = series.length > 0 ? pickOccurrence(context, series, days) : undefined
    // The occurrence of the conversation may be cancelled, but not its series.
    if (picked && (picked.isOnDay || !event))
      return { kind: 'event', ...about, ...picked, item: toEventItem(picked.event) }
    return event && { kind: 'event', ...about, event, isOnDay: false, item }
  }
  const task = item?.kind === 'task' ? await findTask(context, item) : undefined
  return task && { kind: 'task', ...about, task, item: item as Item }
}

/** Returns the items with the best match. Several are equally good. */
export const findNamed = async (context: InterpreterContext, sentence: Sentence): Promise<Named[]> => {
  const { now } = context
  const isPast = hasPhrase(sentence, 'past')
  const events = await lookUpEvents(
    context,
    toIso(now - (isPast ? DAYS_AHEAD : DAYS_BEFORE) * DAY_MS),
    toIso(isPast ? now : now + DAYS_AHEAD * DAY_MS),
  )
  const series = Map.groupBy(events, ({ id }) => id)
  const days = daysIn(sentence)
  const fits: Mention<{ title: string; events?: Event[]; task?: Task }>[] = findMentions(sentence, [
    ...[...series.values()].map((all) => ({ title: (all[0] as Event).title, events: all })),
    ...(await findOpenTasks(context)).map((task) => ({ title: task.title, task })),
  ])
  // The same words of two titles name neither, unless one of them has no other words.
  const [top] = fits
  const best = fits.filter(
    ({ score, at }) => score === top?.score || (top && top.score < 1 && `${at}` === `${top.at}`),
  )
  const named = best.map(({ item, at, score }): Named => {
    if (item.task) return { kind: 'task', at, score, task: item.task, item: toTaskItem(item.task) }
    const picked = pickOccurrence(context, item.events as Event[], days)
    return { kind: 'event', at, score, ...picked, item: toEventItem(picked.event) }
  })
  const onDay = named.filter((one) => one.kind === 'event' && one.isOnDay)
  return onDay.length > 0 ? onDay : named
}
