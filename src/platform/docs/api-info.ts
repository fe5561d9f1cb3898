import { describeConventions } from './introduction.ts'

/** The groups of operations, in the order of the API documentation. */
const TAGS = [
  { name: 'Authentication', description: 'Registration, sessions and token refresh.' },
  { name: 'Calendar', description: 'Events in any time zone, calendar files and feeds, and free time.' },
  { name: 'Booking provider', description: 'Bookings of Cal.com or Calendly as events in your calendar.' },
  { name: 'Tasks', description: 'Tasks with due dates, recurrence and calendar time blocks.' },
  { name: 'Actions', description: 'Automatic actions, and how to undo them.' },
  { name: 'Notifications', description: 'Notifications and their settings.' },
  { name: 'Live events', description: 'Changes as server-sent events.' },
  { name: 'Jobs', description: 'Background jobs, including failed ones.' },
  { name: 'Health and statistics', description: 'Health checks and dashboard statistics.' },
  { name: 'Emails', description: 'Emails with search, tags, threads and attachments.' },
  { name: 'Contacts', description: 'People, address suggestions and vCard files.' },
  { name: 'Commitments', description: 'Promises in mail: yours, and those of others to you.' },
  {
    name: 'Stream features',
    description: 'Live stream state, captions, milestones and the overlay.',
  },
  { name: 'Briefing', description: 'The daily briefing over mail, tasks and calendar.' },
  { name: 'Workflow', description: 'Operations for workflow tools: audits, templates and model calls.' },
  {
    name: 'AI',
    description:
      'Models and API keys, the assistant, and email analysis. Without a model, the built-in engine answers.',
  },
  { name: 'Backups', description: 'Backups of the whole instance, for its owner.' },
  {
    name: 'Settings',
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
