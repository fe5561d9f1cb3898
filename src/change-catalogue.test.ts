import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CHANGES } from './change-catalogue.ts'

const published = Object.entries(CHANGES)
  .filter(([, { webhook }]) => webhook)
  .map(([name]) => name)

it('publishes the promised events', () => {
  expect(published).toEqual(
    expect.arrayContaining([
      'email.received',
      'email.analyzed',
      ...['created', 'updated', 'completed', 'due'].map((verb) => `task.${verb}`),
      ...['created', 'updated', 'cancelled', 'starting'].map((verb) => `event.${verb}`),
      'booking.synced',
      ...['started', 'stopped', 'milestone_reached'].map((verb) => `stream.${verb}`),
    ]),
  )
})

it('lists all published events in docs/webhooks.md', () => {
  const [, list = ''] = /^`type` is one of (.*?)\.\n\n/ms.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? []
  const documented = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  expect(documented).toEqual([...published, 'webhook.test'])
})

it('sends every published change as a live event too', () => {
  expect(published.filter((name) => CHANGES[name as keyof typeof CHANGES].live === undefined)).toEqual([])
})
