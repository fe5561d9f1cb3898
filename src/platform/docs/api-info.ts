import { describeConventions } from './introduction.ts'

/** The groups of operations, in the order of the API documentation, with the first parts of their paths below `/api`. */
const TAGS = [
  { name: 'Authentication', paths: ['auth'], description: 'Registration, sessions and token refresh.' },
  {
    name: 'Calendar',
    paths: ['calendar', 'calendars'],
    description: 'Events in any time zone, calendar files and feeds, and free time.',
  },
  {
    name: 'Booking provider',
    paths: ['bookingsvc'],
    description: 'Bookings of Cal.com or Calendly as events in your calendar.',
  },
  {
    name: 'Tasks',
    paths: ['tasks', 'task-lists', 'task-filters', 'task-templates', 'time-entries'],
    description: 'Tasks with due dates, recurrence, comments, tracked time and calendar time blocks.',
  },
  { name: 'Actions', paths: ['actions'], description: 'Automatic actions, and how to undo them.' },
  { name: 'Notifications', paths: ['notifications'], description: 'Notifications and their settings.' },
  { name: 'Live events', paths: ['events'], description: 'Changes as server-sent events.' },
  { name: 'Jobs', paths: ['jobs'], description: 'Background jobs, including failed ones.' },
  {
    name: 'Health and statistics',
    paths: ['health', 'stats', 'tags'],
    description: 'Health checks and dashboard statistics.',
  },
  {
    name: 'Emails',
    paths: [
      'emails',
      'attachments',
      'folders',
      'mail-rules',
      'mail-templates',
      'mailing-lists',
      'saved-searches',
      'threads',
    ],
    description: 'Emails with search, tags, threads and attachments.',
  },
  { name: 'Contacts', paths: ['contacts'], description: 'People, address suggestions and vCard files.' },
  {
    name: 'Commitments',
    paths: ['commitments'],
    description: 'Promises in mail: yours, and those of others to you.',
  },
  {
    name: 'Stream features',
    paths: ['stream'],
    description: 'Live stream state, captions, milestones and the overlay.',
  },
  { name: 'Briefing', paths: ['briefing'], description: 'The daily briefing over mail, tasks and calendar.' },
  {
    name: 'Workflow',
    paths: ['workflow'],
    description: 'Operations for workflow tools: audits, templates and model calls.',
  },
  {
    name: 'AI',
    paths: ['ai', 'ai-model', 'api-keys', 'mcp'],
    description:
      'Models and API keys, the assistant, and email analysis. Without a model, the built-in engine answers.',
  },
  { name: 'Backups', paths: ['backups'], description: 'Backups of the whole instance, for its owner.' },
  {
    name: 'Settings',
    paths: ['settings', 'accounts', 'billing', 'imports', 'instance', 'shares'],
    description: 'Your profile, security and data. Always requires a session.',
  },
] as const

/** The general part of the OpenAPI document. */
export const apiInfo = (version: string) => ({
  title: 'Factotum',
  version,
  description: describeConventions(
    'Mail, tasks, calendar, bookings and live stream behind one API. Every account has its own data.',
  ),
  tags: TAGS,
})
