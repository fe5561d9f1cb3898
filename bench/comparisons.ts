import { IN_MONTH, MONTH } from './calendar-rows.ts'
import type { Server } from './processes.ts'

/** The kinds of requests that a promise names. */
export type Kind = 'list' | 'read' | 'create' | 'me' | 'search' | 'health'

/** A request to which the service and the plain server send the same bytes. */
export interface Comparison {
  work: string
  /** Undefined if nothing is promised. */
  kind?: Kind
  path: string
  /** The JSON of a `POST`. */
  body?: object
  /** Sent without a token, as a monitor does. */
  isAnonymous?: true
}

/** A plain server, and the requests that are compared with it. */
export interface Subject {
  script: string
  comparisons: readonly Comparison[]
}

const NEW_EMAIL = {
  from: { name: 'Ana Ruiz', address: 'ana@example.org' },
  to: [{ name: 'Me', address: 'me@example.org' }],
  subject: 'Lunch on Thursday',
  text: 'Are you free at noon? The kitchen by the river has a table for us, and the contract can wait. '
    .repeat(4)
    .trim(),
}
/** After all events of the calendar, because the plain server reports no conflicts. */
const NEW_EVENT = { title: 'Design review', start: '2041-03-02T09:00:00Z', end: '2041-03-02T10:00:00Z' }
const WINDOW = `start=${MONTH.start}&end=${MONTH.end}&limit=${IN_MONTH}`

/**
 * The benchmarks measure these requests, and a test compares their responses. So a change of a response cannot make a
 * comparison unfair or stop a benchmark.
 */
export const SUBJECTS = {
  accounts: {
    script: 'bench/plain-accounts.ts',
    comparisons: [
      { work: 'me', kind: 'me', path: '/api/auth/me' },
      { work: 'health', kind: 'health', path: '/api/health', isAnonymous: true },
    ],
  },
  tasks: {
    script: 'bench/plain-tasks.ts',
    comparisons: [
      { work: 'tasks: list of 50', kind: 'list', path: '/api/tasks' },
      { work: 'tasks: open ones of a tag', kind: 'list', path: '/api/tasks?tag=home&status=open' },
      { work: 'tasks: search a word', kind: 'search', path: '/api/tasks?q=report&status=done' },
      { work: 'tasks: one', kind: 'read', path: '/api/tasks/77' },
      {
        work: 'tasks: durable create',
        kind: 'create',
        path: '/api/tasks',
        body: { title: 'Call the plumber' },
      },
    ],
  },
  emails: {
    script: 'bench/plain-emails.ts',
    comparisons: [
      { work: 'emails: list of 50', kind: 'list', path: '/api/emails' },
      { work: 'emails: one', kind: 'read', path: '/api/emails/77' },
      { work: 'emails: search, newest first', kind: 'search', path: '/api/emails?q=common' },
      { work: 'emails: search, a rare word', kind: 'search', path: '/api/emails?q=rare65924' },
      { work: 'emails: durable create', kind: 'create', path: '/api/emails', body: NEW_EMAIL },
    ],
  },
  calendar: {
    script: 'bench/plain-calendar.ts',
    comparisons: [
      { work: 'events: month of 50', kind: 'list', path: `/api/calendar/events?${WINDOW}` },
      { work: 'events: list of 50', kind: 'list', path: '/api/calendar/events' },
      { work: 'bookings: list of 50', kind: 'list', path: '/api/calendar/events?source=bookingsvc' },
      { work: 'events: one', kind: 'read', path: '/api/calendar/events/77' },
      { work: 'events: durable create', kind: 'create', path: '/api/calendar/events', body: NEW_EVENT },
    ],
  },
  contacts: {
    script: 'bench/plain-contacts.ts',
    comparisons: [
      { work: 'contacts: list of 50', kind: 'list', path: '/api/contacts' },
      { work: 'contacts: one', kind: 'read', path: '/api/contacts/77' },
      { work: 'contacts: search a word', kind: 'search', path: '/api/contacts?q=fam77' },
      { work: 'contacts: suggest by a word', kind: 'search', path: '/api/contacts/suggest?q=fam77' },
      { work: 'contacts: suggest by letters', kind: 'search', path: '/api/contacts/suggest?q=giv7' },
      { work: 'contacts: suggest from all', kind: 'search', path: '/api/contacts/suggest?q=person' },
    ],
  },
} as const satisfies Record<string, Subject>

/** Compared with `plain-ai.ts`. Its provider is `ai-provider.ts`. */
export const GENERATE = {
  work: 'AI: generate',
  path: '/api/ai/generate',
  body: { prompt: 'Hello' },
} as const satisfies Comparison

/** Settings of a service that asks this provider. */
export const toAiEnvironment = (providerUrl: string): Record<string, string> => ({
  MODEL_A: 'openai:gpt-4.1',
  OPENAI_API_KEY: 'sk-bench-0123456789',
  OPENAI_BASE_URL: providerUrl,
})

/** Compared with `plain-events.ts`: the frame that the clients of `/api/events` receive. */
export const NEW_TASK = {
  work: 'live events: new task',
  path: '/api/tasks',
  body: { title: 'Call the plumber' },
} as const satisfies Comparison

/** Settings of a service that reads the bookings of `plain-bookings.ts`. */
export const toBookingEnvironment = (providerUrl: string): Record<string, string> => ({
  BOOKINGSVC_API_KEY: 'k',
  BOOKINGSVC_BASE_URL: `${providerUrl}/v2`,
})

/** Ids, positions and times of a new record, which differ between two requests. */
const OF_ONE_RECORD =
  /"(id|uid|position|threadId|date|timestamp|createdAt|updatedAt)":("[^"]*"|\d+)|"(subject)":"\d+"/g

export const maskRecord = (text: string): string => text.replaceAll(OF_ONE_RECORD, '"$1$3":0')

/** Fetches the body of a response, without the parts that differ between two requests. */
export const fetchBody = async (
  { url }: Pick<Server, 'url'>,
  { path, body }: Comparison,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const response = await fetch(url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} returned status ${response.status}: ${text}`)
  return body ? maskRecord(text) : text.replace(/"uptimeSeconds":\d+/, '"uptimeSeconds":0')
}
