import { toInstant, toWall } from '../../src/recurrence/time-zones.ts'
import type { Instance } from '../../test/support/instance.ts'

/* The account that the sentences speak about: how it is filled, and what is stored in it. */

/** Fields as the expectations write them: days, local times, and names instead of ids. */
export type Fields = Record<string, unknown>
export type Kind = 'tasks' | 'events' | 'contacts' | 'drafts' | 'emails'
export interface Item {
  kind: Kind
  fields: Fields
}

/** Everything that a turn can change, by kind and id. */
export type State = Map<string, Item>

interface Keyed extends Fields {
  key: string
}
export interface Mail {
  from: { name: string; email: string }
  subject: string
  text: string
}
export interface World {
  now: string
  timezone: string
  contacts: Keyed[]
  lists: { name: string }[]
  calendars: { name: string }[]
  tasks: Keyed[]
  events: (Keyed & { start: string; end: string; attendees?: { name: string; email: string }[] })[]
  emails: (Mail & { key: string; date: string })[]
  bills: { key: string; email: string }[]
  reservations: { key: string; email: string }[]
}

// biome-ignore lint/suspicious/noExplicitAny: the shape depends on the request
type Body = any

/** Calls the API as the person. A refused request ends the run. */
export interface Person {
  get(path: string): Promise<Body>
  post(path: string, body: object): Promise<Body>
}

export const toPerson = (instance: Instance, token: string): Person => {
  const request = async (method: string, path: string, body?: object): Promise<Body> => {
    const response = await instance.call(method, path, { token, body })
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }
  return { get: (path) => request('GET', path), post: (path, body) => request('POST', path, body) }
}

const OWN_ADDRESS = 'me@example.org'

/** Stores a mail that somebody sent to the person. */
export const receive = async (
  { post }: Person,
  { from, subject, text }: Mail,
  instant: string,
  key: string,
): Promise<number> =>
  (
    await post('/api/emails', {
      from: `"${from.name}" <${from.email}>`,
      to: [OWN_ADDRESS],
      subject,
      text,
      date: instant,
      messageId: `${key}@example.org`,
    })
  ).id

/** Fills the account. Returns the reference of each key. */
export const loadWorld = async (person: Person, world: World): Promise<Map<string, string>> => {
  const { get, post } = person
  const keys = new Map<string, string>()
  const instantOf = (wall: string): string =>
    new Date(toInstant(Date.parse(`${wall}:00Z`), world.timezone)).toISOString()
  const momentOf = (wall: unknown): unknown =>
    typeof wall === 'string' && wall.includes('T') ? instantOf(wall) : wall
  const listIds = new Map<unknown, number>()
  for (const { name } of world.lists) listIds.set(name, (await post('/api/task-lists', { name })).id)
  const calendarIds = new Map<unknown, number>()
  for (const { name } of world.calendars) {
    const known = (await get('/api/calendars')).calendars.find((one: Body) => one.name === name)
    calendarIds.set(name, known?.id ?? (await post('/api/calendars', { name })).id)
  }
  for (const { key, name, email, phone, birthday, address, company } of world.contacts) {
    const { id } = await post('/api/contacts', {
      name,
      ...(email !== undefined && { addresses: [{ address: email }] }),
      ...(phone !== undefined && { phones: [{ label: '', number: phone }] }),
      ...(birthday !== undefined && { birthday }),
      ...(address !== undefined && {
        postalAddresses: [{ label: '', street: address, city: '', region: '', postalCode: '', country: '' }],
      }),
      ...(company !== undefined && { organization: company }),
    })
    keys.set(key, `contacts:${id}`)
  }
  for (const { key, due, remindAt, list, ...fields } of world.tasks) {
    const { id } = await post('/api/tasks', {
      ...fields,
      ...(fields.priority === 'medium' && { priority: 'normal' }),
      ...(due !== undefined && { dueAt: momentOf(due) }),
      ...(remindAt !== undefined && { remindAt: momentOf(remindAt) }),
      ...(list !== undefined && { listId: listIds.get(list) }),
    })
    keys.set(key, `tasks:${id}`)
  }
  for (const { key, start, end, calendar, attendees, ...fields } of world.events) {
    const { id } = await post('/api/calendar/events', {
      ...fields,
      start: momentOf(start),
      end: momentOf(end),
      allDay: !start.includes('T'),
      timezone: world.timezone,
      ...(attendees && { attendees: attendees.map(({ name, email }) => ({ name, email })) }),
      ...(calendar !== undefined && { calendarId: calendarIds.get(calendar) }),
    })
    keys.set(key, `events:${id}`)
  }
  for (const mail of world.emails)
    keys.set(mail.key, `emails:${await receive(person, mail, instantOf(mail.date), mail.key)}`)
  for (const { key, email } of [...world.bills, ...world.reservations])
    keys.set(key, `bills:${keys.get(email)?.split(':')[1]}`)
  return keys
}

const listAll = async ({ get }: Person, path: string, name: string): Promise<Body[]> => {
  const found: Body[] = []
  let cursor: string | null = null
  do {
    const page: Body = await get(
      `${path}${path.includes('?') ? '&' : '?'}limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    found.push(...page[name])
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

const DAY_MS = 86_400_000
const FIRST_DAY_MS = -100 * DAY_MS
const LAST_DAY_MS = 400 * DAY_MS

/** Reads what the account stores. */
export const readState = async (person: Person, { now, timezone }: World): Promise<State> => {
  const state: State = new Map()
  const nameOf = async (path: string, name: string): Promise<Map<number, Body>> =>
    new Map((await person.get(path))[name].map((one: Body) => [one.id, one]))
  const [lists, calendars] = [
    await nameOf('/api/task-lists', 'taskLists'),
    await nameOf('/api/calendars', 'calendars'),
  ]
  const wallOf = (instant: string | null): string | null =>
    instant && new Date(toWall(Date.parse(instant), timezone)).toISOString().slice(0, 16)
  const dayOr = (instant: string, isDay: boolean): string =>
    (wallOf(instant) as string).slice(0, isDay ? 10 : 16)
  for (const task of await listAll(person, '/api/tasks', 'tasks'))
    state.set(`tasks:${task.id}`, {
      kind: 'tasks',
      fields: {
        title: task.title,
        due: task.dueDay ?? wallOf(task.dueAt),
        remindAt: wallOf(task.remindAt),
        recurrence: task.recurrence,
        priority: task.priority,
        list: lists.get(task.listId)?.isInbox ? null : lists.get(task.listId)?.name,
        tags: task.tags,
        status: task.status,
        emailId: task.emailId,
      },
    })
  const from = Date.parse(`${now}:00Z`)
  const window = [from + FIRST_DAY_MS, from + LAST_DAY_MS].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  )
  const occurrences = await listAll(
    person,
    `/api/calendar/events?start=${window[0]}&end=${window[1]}`,
    'events',
  )
  const describe = (event: Body): Fields => ({
    title: event.title,
    start: dayOr(event.start, event.allDay),
    end: dayOr(event.end, event.allDay),
    location: event.location || event.meetingUrl || '',
    attendees: event.attendees.map(({ email }: { email: string }) => email),
    calendar: calendars.get(event.calendarId)?.isDefault ? null : calendars.get(event.calendarId)?.name,
  })
  for (const id of new Set<number>(occurrences.map((one) => one.id))) {
    const event = await person.get(`/api/calendar/events/${id}`)
    if (event.status === 'cancelled') continue
    const own = occurrences.filter((one) => one.id === id && one.status !== 'cancelled')
    state.set(`events:${id}`, {
      kind: 'events',
      fields: {
        ...describe(event),
        recurrence: event.recurrence,
        days: event.recurrence
          ? Object.fromEntries(
              own.map((one) => [(wallOf(one.occurrenceStart) as string).slice(0, 10), describe(one)]),
            )
          : null,
      },
    })
  }
  for (const contact of await listAll(person, '/api/contacts', 'contacts'))
    state.set(`contacts:${contact.id}`, {
      kind: 'contacts',
      fields: {
        name: contact.name,
        email: contact.addresses[0]?.address ?? null,
        phone: contact.phones[0]?.number ?? null,
        birthday: contact.birthday || null,
        address: contact.postalAddresses[0]?.street ?? null,
        company: contact.organization || null,
      },
    })
  for (const mail of await listAll(person, '/api/emails', 'emails')) {
    const isOwn = ['drafts', 'outbox', 'sent'].includes(mail.folder)
    const address = ({ address: one }: { address: string }): string => one
    state.set(`${isOwn ? 'drafts' : 'emails'}:${mail.id}`, {
      kind: isOwn ? 'drafts' : 'emails',
      fields: isOwn
        ? {
            to: mail.to.map(address),
            cc: mail.cc.map(address),
            text: `${mail.subject}\n${(await person.get(`/api/emails/${mail.id}`)).text}`,
          }
        : { folder: mail.folder, snoozed: wallOf(mail.snoozedUntil), tags: mail.tags, starred: mail.starred },
    })
  }
  return state
}
