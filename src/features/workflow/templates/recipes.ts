import type { Scope } from '../../../platform/access/caller.ts'
import {
  type N8nWorkflow,
  placeholder,
  request,
  schedule,
  setFields,
  splitOut,
  stopWith,
  toFile,
  when,
  workflow,
} from './n8n.ts'

export interface Recipe {
  id: string
  name: string
  description: string
  /** What its token needs. */
  scopes: readonly Scope[]
  build(instance: { baseUrl: string; timezone: string }): N8nWorkflow
}

const TOKEN = `Choose a “Header Auth” credential in each HTTP node: name **Authorization**, value **Bearer fct_…**.
Make the token in Factotum under Settings → Access tokens, with the scopes`

const noteFor = ({ name, description, scopes }: Omit<Recipe, 'build'>): string =>
  `## ${name}\n\n${description}\n\n${TOKEN} ${scopes.join(', ')}.`

const recipe = (
  about: Omit<Recipe, 'build'>,
  make: (baseUrl: string) => readonly [Parameters<typeof workflow>[2], Parameters<typeof workflow>[3]],
): Recipe => ({
  ...about,
  build: ({ baseUrl, timezone }) => {
    const [parts, links] = make(baseUrl)
    return workflow(
      about.id,
      { name: `Factotum: ${about.name}`, note: noteFor(about), timezone },
      parts,
      links,
    )
  },
})

const bookingSync = recipe(
  {
    id: 'booking-sync',
    name: 'Booking sync',
    description:
      'Fetches bookings into the calendar every 15 minutes, and stops with an error when some failed.',
    scopes: ['booking:write'],
  },
  (base) => [
    [
      schedule('Every 15 minutes', { field: 'minutes', minutesInterval: 15 }),
      request('Sync bookings', 'POST', `${base}/api/bookingsvc/sync`),
      when('Did any fail?', '$json.failed > 0'),
      stopWith('Say what failed', '={{ $json.failed }} bookings failed: {{ JSON.stringify($json.errors) }}'),
    ],
    [
      ['Every 15 minutes', 'Sync bookings'],
      ['Sync bookings', 'Did any fail?'],
      ['Did any fail?', 'Say what failed'],
    ],
  ],
)

const inboxTriage = recipe(
  {
    id: 'inbox-triage',
    name: 'Inbox triage',
    description: 'Reads new mail every 10 minutes, finds out what is urgent, and puts a star on it.',
    scopes: ['mail:write'],
  },
  (base) => [
    [
      schedule('Every 10 minutes', { field: 'minutes', minutesInterval: 10 }),
      request('Unread mail', 'GET', `${base}/api/emails`, {
        query: { folder: 'inbox', unread: 'true', limit: '20' },
      }),
      splitOut('Each e-mail', 'emails'),
      when('Is it new?', '!$json.analysis'),
      request('Analyse it', 'POST', `=${base}/api/emails/{{ $json.id }}/analyze`),
      when('Is it urgent?', "['high', 'critical'].includes(($json.analysis ?? $json).urgency?.level)"),
      request('Put a star on it', 'PATCH', `=${base}/api/emails/{{ $('Is it new?').item.json.id }}`, {
        body: '={{ JSON.stringify({ starred: true }) }}',
      }),
    ],
    [
      ['Every 10 minutes', 'Unread mail'],
      ['Unread mail', 'Each e-mail'],
      ['Each e-mail', 'Is it new?'],
      ['Is it new?', 'Analyse it'],
      ['Analyse it', 'Is it urgent?'],
      ['Is it urgent?', 'Put a star on it'],
    ],
  ],
)

const auditReport = recipe(
  {
    id: 'audit-report',
    name: 'Audit report',
    description:
      'Audits a page every Monday, keeps the report as a file, and makes a task of it when the score is below 70. Put your page into “Your page”.',
    scopes: ['workflow:write', 'tasks:write'],
  },
  (base) => [
    [
      schedule('Every Monday', { field: 'weeks', weeksInterval: 1, triggerAtDay: [1], triggerAtHour: 8 }),
      setFields('Your page', { url: 'https://example.com/', company: 'Example' }),
      request('Audit it', 'POST', `${base}/api/workflow/digital-audit`, {
        body: '={{ JSON.stringify({ url: $json.url, company: $json.company }) }}',
      }),
      toFile('Report as a file', 'markdown', 'audit.md'),
      when('Is there much to do?', '$json.score < 70'),
      request('Make a task of it', 'POST', `${base}/api/tasks`, {
        body: '={{ JSON.stringify({ title: "Mend the website: " + $json.score + " of 100", notes: $json.summary, tags: ["audit"] }) }}',
      }),
    ],
    [
      ['Every Monday', 'Your page'],
      ['Your page', 'Audit it'],
      ['Audit it', 'Report as a file'],
      ['Audit it', 'Is there much to do?'],
      ['Is there much to do?', 'Make a task of it'],
    ],
  ],
)

const dailyBriefing = recipe(
  {
    id: 'daily-briefing',
    name: 'Daily briefing',
    description:
      'Fetches the briefing each morning at 7. Put the node of your messenger in the place of “Send it”; its words are in {{ $json.text }}.',
    scopes: ['calendar:read', 'mail:read', 'tasks:read'],
  },
  (base) => [
    [
      schedule('Every morning', { field: 'days', daysInterval: 1, triggerAtHour: 7 }),
      request('Briefing', 'GET', `${base}/api/briefing`),
      when('Is there anything?', '!$json.isEmpty'),
      setFields('Words', { text: '={{ $json.text }}' }),
      placeholder('Send it'),
    ],
    [
      ['Every morning', 'Briefing'],
      ['Briefing', 'Is there anything?'],
      ['Is there anything?', 'Words'],
      ['Words', 'Send it'],
    ],
  ],
)

export const RECIPES: readonly Recipe[] = [bookingSync, inboxTriage, auditReport, dailyBriefing]
