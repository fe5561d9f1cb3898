import type { Scope } from '../../platform/access/caller.ts'
import { notFound } from '../../platform/errors.ts'

/** Format of an n8n workflow. */
interface N8nNode {
  id: string
  name: string
  type: string
  typeVersion: number
  position: [x: number, y: number]
  parameters: Record<string, unknown>
  retryOnFail?: boolean
  maxTries?: number
  waitBetweenTries?: number
}

interface N8nWorkflow {
  name: string
  nodes: N8nNode[]
  /** Outgoing connections by node name, with one list per output. */
  connections: Record<string, { main: { node: string; type: 'main'; index: number }[][] }>
  settings: Record<string, unknown>
  active: false
}

const STEP = 240
const ROW = 300

type Part = Pick<N8nNode, 'name' | 'type' | 'typeVersion' | 'parameters'> & Partial<N8nNode>

const core = (
  name: string,
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown>,
): Part => ({
  name,
  typeVersion,
  parameters,
  type: `n8n-nodes-base.${type}`,
})

const schedule = (name: string, interval: Record<string, unknown>): Part =>
  core(name, 'scheduleTrigger', 1.2, { rule: { interval: [interval] } })

/** Uses a header credential that the user chooses after the import. Workflows never contain the token. */
const request = (
  name: string,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  { query, body }: { query?: Record<string, string>; body?: string } = {},
): Part => ({
  ...core(name, 'httpRequest', 4.2, {
    method,
    url,
    authentication: 'genericCredentialType',
    genericAuthType: 'httpHeaderAuth',
    ...(query && {
      sendQuery: true,
      queryParameters: { parameters: Object.entries(query).map(([key, value]) => ({ name: key, value })) },
    }),
    ...(body !== undefined && { sendBody: true, specifyBody: 'json', jsonBody: body }),
    options: { timeout: 60_000 },
  }),
  // Retrying a read is safe; retrying a write is not.
  ...(method === 'GET' ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 5_000 } : {}),
})

const splitOut = (name: string, field: string): Part =>
  core(name, 'splitOut', 1, { fieldToSplitOut: field, options: {} })

/** The first output is used if `expression` is true, the second otherwise. */
const when = (name: string, expression: string): Part =>
  core(name, 'if', 2.2, {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
      conditions: [
        {
          id: name,
          leftValue: `={{ ${expression} }}`,
          rightValue: '',
          operator: { type: 'boolean', operation: 'true', singleValue: true },
        },
      ],
      combinator: 'and',
    },
    looseTypeValidation: true,
    options: {},
  })

const setFields = (name: string, fields: Record<string, string>): Part =>
  core(name, 'set', 3.4, {
    assignments: {
      assignments: Object.entries(fields).map(([key, value]) => ({
        id: key,
        name: key,
        value,
        type: 'string',
      })),
    },
    options: {},
  })

const toFile = (name: string, field: string, fileName: string): Part =>
  core(name, 'convertToFile', 1.1, { operation: 'toText', sourceProperty: field, options: { fileName } })

const stopWith = (name: string, message: string): Part =>
  core(name, 'stopAndError', 1, { errorMessage: message })

const placeholder = (name: string): Part => core(name, 'noOp', 1, {})

const note = (content: string): Part => core('Note', 'stickyNote', 1, { content, width: 420, height: 220 })

type Link = readonly [from: string, to: string]

/** Connects each node to the next one. */
const chain = (parts: readonly Part[]): Link[] =>
  parts.slice(1).map((part, index) => [(parts[index] as Part).name, part.name])

/** Assembles a workflow. Nodes are placed in a row, in the given order. */
const workflow = (
  id: string,
  about: { name: string; note: string; timezone: string },
  parts: readonly Part[],
  links: readonly Link[],
): N8nWorkflow => {
  const nodes = [...parts, note(about.note)].map((part, index): N8nNode => {
    const isNote = index === parts.length
    return { id: `factotum-${id}-${index + 1}`, position: isNote ? [0, 0] : [index * STEP, ROW], ...part }
  })
  const connections: N8nWorkflow['connections'] = {}
  for (const [from, to] of links) {
    connections[from] ??= { main: [[]] }
    connections[from].main[0]?.push({ node: to, type: 'main', index: 0 })
  }
  return {
    name: about.name,
    nodes,
    connections,
    active: false,
    settings: { executionOrder: 'v1', timezone: about.timezone },
  }
}

interface Template {
  id: string
  name: string
  description: string
  /** Scopes that the token needs. */
  scopes: readonly Scope[]
  build(instance: { baseUrl: string; timezone: string }): N8nWorkflow
}

const TOKEN = `Choose a “Header Auth” credential in each HTTP node: name **Authorization**, value **Bearer fct_…**.
Make the token in Factotum under Settings → Access tokens, with the scopes`

const noteFor = ({ name, description, scopes }: Omit<Template, 'build'>): string =>
  `## ${name}\n\n${description}\n\n${TOKEN} ${scopes.join(', ')}.`

const template = (
  about: Omit<Template, 'build'>,
  makeParts: (baseUrl: string) => readonly Part[],
  links?: readonly Link[],
): Template => ({
  ...about,
  build: ({ baseUrl, timezone }) => {
    const parts = makeParts(baseUrl)
    const described = { name: `Factotum: ${about.name}`, note: noteFor(about), timezone }
    return workflow(about.id, described, parts, links ?? chain(parts))
  },
})

const bookingSync = template(
  {
    id: 'booking-sync',
    name: 'Booking sync',
    description: 'Syncs bookings into the calendar every 15 minutes, and stops with an error if some failed.',
    scopes: ['booking:write'],
  },
  (base) => [
    schedule('Every 15 minutes', { field: 'minutes', minutesInterval: 15 }),
    request('Sync bookings', 'POST', `${base}/api/bookingsvc/sync`),
    when('Did any fail?', '$json.failed > 0'),
    stopWith('Report failures', '={{ $json.failed }} bookings failed: {{ JSON.stringify($json.errors) }}'),
  ],
)

const inboxTriage = template(
  {
    id: 'inbox-triage',
    name: 'Inbox triage',
    description: 'Analyses new mail every 10 minutes and stars urgent mail.',
    scopes: ['mail:write'],
  },
  (base) => [
    schedule('Every 10 minutes', { field: 'minutes', minutesInterval: 10 }),
    request('Unread mail', 'GET', `${base}/api/emails`, {
      query: { folder: 'inbox', unread: 'true', limit: '20' },
    }),
    splitOut('Each email', 'emails'),
    when('Is it new?', '!$json.analysis'),
    request('Analyse email', 'POST', `=${base}/api/emails/{{ $json.id }}/analyze`),
    when('Is it urgent?', "['high', 'critical'].includes(($json.analysis ?? $json).urgency?.level)"),
    request('Star it', 'PATCH', `=${base}/api/emails/{{ $('Is it new?').item.json.id }}`, {
      body: '={{ JSON.stringify({ starred: true }) }}',
    }),
  ],
)

const auditReport = template(
  {
    id: 'audit-report',
    name: 'Audit report',
    description:
      'Audits a page every Monday, saves the report as a file, and creates a task if the score is below 70. Enter your page in “Your page”.',
    scopes: ['workflow:write', 'tasks:write'],
  },
  (base) => [
    schedule('Every Monday', { field: 'weeks', weeksInterval: 1, triggerAtDay: [1], triggerAtHour: 8 }),
    setFields('Your page', { url: 'https://example.com/', company: 'Example' }),
    request('Audit page', 'POST', `${base}/api/workflow/digital-audit`, {
      body: '={{ JSON.stringify({ url: $json.url, company: $json.company }) }}',
    }),
    toFile('Report as a file', 'markdown', 'audit.md'),
    when('Is the score low?', '$json.score < 70'),
    request('Create a task', 'POST', `${base}/api/tasks`, {
      body: '={{ JSON.stringify({ title: "Fix the website: " + $json.score + " of 100", notes: $json.summary, tags: ["audit"] }) }}',
    }),
  ],
  [
    ['Every Monday', 'Your page'],
    ['Your page', 'Audit page'],
    ['Audit page', 'Report as a file'],
    ['Audit page', 'Is the score low?'],
    ['Is the score low?', 'Create a task'],
  ],
)

const dailyBriefing = template(
  {
    id: 'daily-briefing',
    name: 'Daily briefing',
    description:
      'Fetches the briefing every morning at 7. Replace “Send it” with the node of your messenger; the text is in {{ $json.text }}.',
    scopes: ['calendar:read', 'mail:read', 'tasks:read'],
  },
  (base) => [
    schedule('Every morning', { field: 'days', daysInterval: 1, triggerAtHour: 7 }),
    request('Briefing', 'GET', `${base}/api/briefing`),
    when('Is there anything?', '!$json.isEmpty'),
    setFields('Text', { text: '={{ $json.text }}' }),
    placeholder('Send it'),
  ],
)

const TEMPLATES: readonly Template[] = [bookingSync, inboxTriage, auditReport, dailyBriefing]

export interface TemplatesDeps {
  baseUrl: () => string
  zoneOf: (userId: number) => Promise<string>
}

export type Templates = ReturnType<typeof createTemplates>

/** Templates that can be imported unchanged and contain the URL of this instance. */
export const createTemplates = ({ baseUrl, zoneOf }: TemplatesDeps) => {
  const here = async (userId: number) => ({ baseUrl: baseUrl(), timezone: await zoneOf(userId) })
  return {
    async list(userId: number) {
      const instance = await here(userId)
      return {
        templates: TEMPLATES.map(({ id, name, description, scopes, build }) => ({
          id,
          name,
          description,
          tool: 'n8n' as const,
          scopes: [...scopes],
          workflow: build(instance),
        })),
        nextCursor: null,
      }
    },
    async get(userId: number, id: string): Promise<N8nWorkflow> {
      const template = TEMPLATES.find((each) => each.id === id)
      if (!template) throw notFound('template')
      return template.build(await here(userId))
    },
  }
}
