import { readIntent } from '../../../engine/intents/read.ts'
import type { Abstention, EmailPick, EventPick, Intent, Wall } from '../../../engine/intents/vocabulary.ts'
import { toInstant, toWall } from '../../../engine/time-zones.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Acted } from './acting.ts'

type Act = (tool: string, input: unknown) => Promise<Acted>

/** Understands a message without a model, does what it says, and answers; undefined for what it does not understand. */
export type Interpreter = (message: string, act: Act) => Promise<string | undefined>

interface Listed {
  id: number
  title: string
  subject: string
  start: string
  end: string
  dueAt: string | null
  occurrenceStart?: string | null
  from: { name: string; address: string } | null
  attendees?: { name: string | null }[]
}

const DAY_MS = 86_400_000
const REASONS: Record<Abstention['reason'], string> = {
  out_of_scope: 'That is not something I can do here',
  unclear: 'I did not understand that',
  incomplete: 'Something is missing',
  too_long: 'That is too long for the built-in engine',
  empty: 'There was nothing to do',
}

const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const failureOf = ({ result }: Acted): string =>
  String((result as { error?: string }).error ?? 'It did not work.')

/** What is meant, in one word after the other: all of them must be there. */
const speaksOf = (text: string, words: string | undefined): boolean =>
  (words ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** The built-in engine in the place of a model: it reads the sentence, finds what is meant, and uses the same tools. */
export const createInterpreter = (deps: { clock: Clock; timezone: () => Promise<string> }): Interpreter => {
  const { clock } = deps

  const carryOut = async (intent: Intent, act: Act, timezone: string): Promise<string> => {
    const now = clock.now().getTime()
    const instant = (wall: Wall): string =>
      new Date(
        toInstant(Date.parse(wall.length > 10 ? `${wall}:00Z` : `${wall}T00:00Z`), timezone),
      ).toISOString()
    const moment = (wall: Wall | undefined): string | undefined =>
      wall && wall.length > 10 ? instant(wall) : wall
    const say = (at: string): string =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone: timezone,
        dateStyle: 'medium',
        timeStyle: 'short',
      }).format(new Date(at))
    const found = async <K extends string>(tool: string, input: object, key: K): Promise<Listed[]> =>
      ((await act(tool, defined(input))).result as Record<K, Listed[] | undefined>)[key] ?? []
    const lines = (items: readonly string[], none: string): string =>
      items.length > 0 ? items.map((item) => `- ${item}`).join('\n') : none
    const done = (acted: Acted, words: string): string => {
      if (acted.status === 'failed') return failureOf(acted)
      const { summary } = acted.result as { summary?: string }
      return acted.status === 'needs_confirmation' ? `${summary}? It waits for your confirmation.` : words
    }

    const emails = (pick: EmailPick, more: object = {}, limit = 10): Promise<Listed[]> => {
      const terms = [
        ...[pick.sender && `from:"${pick.sender}"`, pick.recipient && `to:"${pick.recipient}"`],
        pick.about,
      ]
      return found(
        'find_emails',
        { query: terms.filter(Boolean).join(' ') || undefined, limit, ...more },
        'emails',
      )
    }
    const eventsBetween = (from: string, to: string) =>
      found('list_events', { start: from, end: to, limit: 100 }, 'events')
    const event = async ({ title, person, at }: EventPick): Promise<Listed | undefined> => {
      const from = new Date(at ? Date.parse(instant(at)) : now).toISOString()
      const span = at && at.length > 10 ? 60_000 : at ? DAY_MS : 60 * DAY_MS
      const all = await eventsBetween(from, new Date(Date.parse(from) + span).toISOString())
      const said = (one: Listed) => `${one.title} ${(one.attendees ?? []).map(({ name }) => name).join(' ')}`
      const fits = all.filter((one) => speaksOf(said(one), title) && speaksOf(said(one), person))
      return fits.find(({ start }) => at === undefined || at.length === 10 || start === from) ?? fits[0]
    }
    const task = async (words: string): Promise<Listed | undefined> =>
      (await found('list_tasks', { query: words, status: 'open', limit: 5 }, 'tasks'))[0]
    const where = ({ id, occurrenceStart }: Listed) =>
      defined({ id, occurrence: occurrenceStart ?? undefined })

    switch (intent.tool) {
      case 'create_task': {
        const {
          title,
          due,
          remindAt,
          recurrence,
          priority,
          tags = [],
          list,
          estimateMinutes,
        } = intent.arguments
        const all = [...new Set([...tags, ...(list ? [list] : [])])]
        const wish = {
          title,
          dueAt: moment(due),
          remindAt: remindAt && instant(remindAt),
          recurrence,
          priority,
        }
        const acted = await act(
          'create_task',
          defined({ ...wish, estimateMinutes, ...(all.length > 0 && { tags: all }) }),
        )
        return done(acted, `I added the task “${title}”${due ? `, due ${due.replace('T', ' ')}` : ''}.`)
      }
      case 'complete_task':
      case 'delete_task':
      case 'update_task': {
        const words = intent.arguments.task
        const one = await task(words)
        if (!one) return `There is no open task like “${words}”.`
        if (intent.tool === 'delete_task') return done(await act('delete_task', { id: one.id }), 'Deleted.')
        if (intent.tool === 'complete_task')
          return done(await act('update_task', { id: one.id, status: 'done' }), `“${one.title}” is done.`)
        const { title, due, remindAt, priority, tag } = intent.arguments
        const wish = {
          id: one.id,
          title,
          dueAt: moment(due),
          remindAt: remindAt && instant(remindAt),
          priority,
        }
        return done(
          await act('update_task', defined({ ...wish, tags: tag && [tag] })),
          `I changed “${one.title}”.`,
        )
      }
      case 'list_tasks': {
        const { query, list, tag, priority, state, to } = intent.arguments
        const status = state === 'done' ? 'done' : 'open'
        const dueBefore = state === 'overdue' ? new Date(now).toISOString() : moment(to)
        const tasks = await found(
          'list_tasks',
          { query, tag: tag ?? list, priority, status, dueBefore },
          'tasks',
        )
        return lines(
          tasks.map(({ title, dueAt }) => (dueAt ? `${title} (due ${say(dueAt)})` : title)),
          'There are no such tasks.',
        )
      }
      case 'list_events': {
        const { from, to, query, person, next } = intent.arguments
        const start = from ? instant(from) : new Date(now).toISOString()
        const end = to
          ? instant(to)
          : new Date(Date.parse(start) + (from ? 1 : next ? 60 : 7) * DAY_MS).toISOString()
        const all = (await eventsBetween(start, end)).filter(
          ({ title }) => speaksOf(title, query) && speaksOf(title, person),
        )
        const shown = next ? all.slice(0, 1) : all
        return lines(
          shown.map(({ title, start: at }) => `${say(at)}: ${title}`),
          'There is nothing in the calendar.',
        )
      }
      case 'create_event': {
        const { title, start, end, minutes, allDay, people = [], place, recurrence } = intent.arguments
        if (!start) return 'When should that be?'
        const named = title ?? (people.length > 0 ? `Meeting with ${people.join(' and ')}` : 'Meeting')
        const from = allDay ? start : instant(start.length > 10 ? start : `${start}T09:00`)
        const until =
          moment(end) ?? (minutes ? new Date(Date.parse(from) + minutes * 60_000).toISOString() : undefined)
        const description = people.length > 0 ? `With ${people.join(', ')}` : undefined
        const wish = {
          title: named,
          start: from,
          end: until,
          allDay,
          location: place,
          recurrence,
          description,
        }
        return done(
          await act('create_event', defined(wish)),
          `“${named}” is in the calendar, ${start.replace('T', ' ')}.`,
        )
      }
      case 'move_event':
      case 'cancel_event': {
        const one = await event(intent.arguments.event)
        if (!one) return 'I did not find that event.'
        if (intent.tool === 'cancel_event')
          return done(await act('cancel_event', where(one)), `“${one.title}” is cancelled.`)
        const { start, shiftMinutes = 0, minutes } = intent.arguments
        const length = minutes ? minutes * 60_000 : Date.parse(one.end) - Date.parse(one.start)
        // A bare day keeps the hour that it has.
        const hour = new Date(toWall(Date.parse(one.start), timezone)).toISOString().slice(11, 16)
        const begins = start ? instant(start.length > 10 ? start : `${start}T${hour}`) : one.start
        const at = Date.parse(begins) + shiftMinutes * 60_000
        const times = { start: new Date(at).toISOString(), end: new Date(at + length).toISOString() }
        return done(
          await act('move_event', { ...where(one), ...times }),
          `“${one.title}” is now at ${say(times.start)}.`,
        )
      }
      case 'find_free_time': {
        const { from, to, minutes } = intent.arguments
        const slots = await found(
          'find_free_time',
          { start: moment(from), end: moment(to), minutes, limit: 5 },
          'slots',
        )
        return lines(
          slots.map(({ start, end }) => `${say(start)} to ${say(end)}`),
          'There is no free time then.',
        )
      }
      case 'find_emails': {
        const { marks = [], tag, withAttachment, from, to, about, sender, recipient } = intent.arguments
        const more = { tag, unread: marks.includes('unread') || undefined }
        const extra = [
          ...[withAttachment && 'has:attachment', marks.includes('starred') && 'is:starred', about],
          ...[from && `after:${from.slice(0, 10)}`, to && `before:${to.slice(0, 10)}`],
        ]
        const words = extra.filter(Boolean).join(' ') || undefined
        const pick = defined({ sender, recipient, about: words }) as EmailPick
        const levels = marks.includes('urgent') ? ['critical', 'high'] : [undefined]
        const all: Listed[] = []
        for (const urgency of levels) all.push(...(await emails(pick, { ...more, urgency })))
        return lines(
          all.map(
            ({ subject, from: sender }) => `${sender?.name || sender?.address || 'someone'}: ${subject}`,
          ),
          'There are no such e-mails.',
        )
      }
      case 'read_email':
      case 'tag_email':
      case 'delete_email':
      case 'draft_email': {
        const pick =
          intent.tool === 'read_email'
            ? intent.arguments
            : intent.tool === 'draft_email'
              ? intent.arguments.reply
              : intent.arguments.email
        const one = pick ? (await emails(pick, {}, 1))[0] : undefined
        if (pick && !one) return 'I did not find that e-mail.'
        if (intent.tool === 'read_email') {
          const read = await act('read_email', { id: one?.id })
          return done(read, (read.result as { text?: string }).text ?? '')
        }
        if (intent.tool === 'delete_email')
          return done(await act('delete_email', { id: one?.id }), 'It is in the trash.')
        if (intent.tool === 'tag_email') {
          const { tag, remove, read, starred } = intent.arguments
          const tags = tag === undefined ? {} : remove ? { remove: [tag] } : { add: [tag] }
          return done(
            await act('tag_email', defined({ id: one?.id, ...tags, read, starred })),
            `“${one?.subject}” is marked.`,
          )
        }
        const { to, about, says, send } = intent.arguments
        const name = one?.from?.name || to || ''
        const text = says ?? `Hello${name ? ` ${name}` : ''},\n\nthank you for your message.\n`
        const address = to?.includes('@') ? [to] : undefined
        const wish = defined({ replyTo: one?.id, to: address, subject: one ? undefined : about, text })
        return done(
          await act(send ? 'send_email' : 'draft_email', wish),
          'The draft is ready in your drafts.',
        )
      }
      case 'get_briefing': {
        const start = instant(intent.arguments.day)
        const all = await eventsBetween(start, new Date(Date.parse(start) + DAY_MS).toISOString())
        return lines(
          all.map(({ title, start: at }) => `${say(at)}: ${title}`),
          'There is nothing in the calendar.',
        )
      }
      case 'get_statistics': {
        const { result } = await act('get_statistics', {})
        const { emails: mail, tasks, events } = result as Record<string, Record<string, unknown>>
        return `E-mails: ${mail?.unread ?? 0} unread, ${mail?.urgent ?? 0} urgent. Tasks: ${tasks?.open ?? 0} open, ${tasks?.overdue ?? 0} overdue. Events: ${events?.today ?? 0} today.`
      }
      case 'tell_date': {
        const { asks, day, timezone: there } = intent.arguments
        if (asks === 'days_until' && day)
          return `In ${Math.ceil((Date.parse(instant(day)) - now) / DAY_MS)} days.`
        const format: Intl.DateTimeFormatOptions = {
          ...{ timeZone: there ?? timezone, dateStyle: 'full' },
          ...(asks === 'time' && { timeStyle: 'short' }),
        }
        return new Intl.DateTimeFormat('en-GB', format).format(day ? new Date(instant(day)) : new Date(now))
      }
    }
  }

  return async (message, act) => {
    const timezone = await deps.timezone()
    const now = toWall(clock.now().getTime(), timezone)
    const { intents, abstained } = readIntent(message, { now, timezone })
    if (intents.length === 0) return undefined
    const said: string[] = []
    for (const intent of intents) said.push(await carryOut(intent, act, timezone))
    for (const { reason, text } of abstained) said.push(`${REASONS[reason]}: “${text}”.`)
    return said.join('\n')
  }
}
