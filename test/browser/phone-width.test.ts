import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleOf } from '../support/scale.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, pageWidth, signUp, visit, withBrowser } from './visitor.ts'

const PHONE_PX = 360
const PAGES = [
  '/',
  '/mail',
  '/mail/inbox/new',
  '/mail/lists',
  '/mail/rules',
  '/calendar?view=month',
  '/calendar?view=week',
  '/calendar?view=day',
  '/calendar?view=agenda',
  '/tasks',
  '/contacts',
  '/promises',
  '/assistant',
  '/stream',
  '/insights',
  '/audit',
  '/settings',
  ...[
    'profile',
    'preferences',
    'notifications',
    'security',
    'mail-accounts',
    'calendar-accounts',
    'bookings',
    'imports',
    'ai',
    'apps',
    'tokens',
    'feed-tokens',
    'webhooks',
    'sharing',
    'instance',
    'jobs',
    'usage',
    'data',
    'billing',
    'backups',
    'oauth-clients',
    'accounts',
    'activity',
  ].map((section) => `/settings/${section}`),
]
/** Elements that reach beyond the window and are not inside a container that scrolls or clips. */
const FIND_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.offsetParent)
  .filter((element) => {
    for (let up = element.parentElement; up; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== 'visible') return false
    return true
  })
  .map((element) => element.tagName + '.' + element.className).slice(0, 5).join(' ')`

withBrowser('console on a phone', () => {
  let service: Service
  let browser: Browser

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  // German words are longer, so the short form checks all pages in German.
  for (const { language, locale, pages } of [
    { language: 'en', locale: 'en-GB', pages: sampleOf(PAGES, 10) },
    { language: 'de', locale: 'de-DE', pages: PAGES },
  ])
    it(`no page is wider than ${PHONE_PX} px (${language})`, async () => {
      const visitor = await visit(browser, service.url, { width: PHONE_PX, locale })
      const { page, context } = visitor
      await signUp(visitor, '/', {
        name: 'Ana Lindqvist',
        email: `ana-${language}@example.org`,
        locale: language,
      })
      const signedIn = await context.request.post('/api/auth/login', {
        data: { email: `ana-${language}@example.org`, password: PASSWORD },
      })
      const { token } = (await signedIn.json()) as { token: string }
      const post = (path: string, data: object) =>
        context.request.post(path, { headers: { authorization: `Bearer ${token}` }, data })
      for (let n = 1; n <= 12; n += 1)
        await post('/api/tasks', {
          title: `Write the report about the boat house, part ${n}`,
          priority: 'high',
          tags: ['home'],
        })
      const received = await post('/api/emails', {
        from: 'Bo <bo@example.org>',
        subject: 'Donaudampfschifffahrtsgesellschaftskapitänsversammlung',
        text: 'Hello',
      })
      // Folders with a count have hidden texts, also those beyond the edge of the screen.
      await post('/api/emails', {
        from: 'Ana <ana@example.org>',
        subject: 'Draft',
        text: 'Hello',
        folder: 'drafts',
      })
      await post('/api/calendar/events', {
        title: 'Wochenbesprechung',
        start: new Date(Date.now() + 3_600_000).toISOString(),
      })
      await post('/api/settings/tokens', {
        name: 'n8n on the computer of the office',
        password: PASSWORD,
        scopes: ['mail:write', 'calendar:read'],
      })
      await post('/api/settings/feed-tokens', { name: 'Calendar of the telephone', purpose: 'calendar' })
      await post('/api/settings/app-passwords', {
        name: 'Telephone of the whole family in the kitchen',
        password: PASSWORD,
        access: { calendars: 'write', tasks: 'read', contacts: 'write' },
      })
      await post('/api/settings/webhooks', {
        url: 'https://automation.example.org/hooks/with/a/rather/long/path',
        events: ['task.created', 'email.received'],
      })
      const { id } = (await received.json()) as { id: number }
      const wide: string[] = []
      let visibleTasks = 0
      for (const path of [...new Set([...pages, '/tasks']), `/mail/inbox/${id}`]) {
        await openPage(page, path)
        await expect.poll(() => page.locator('main :is([aria-busy=true], .skeleton)').count()).toBe(0)
        if ((await pageWidth(page)) > PHONE_PX)
          wide.push(`${path}: ${await pageWidth(page)} ${await page.evaluate(FIND_WIDE)}`)
        if (path === '/tasks')
          visibleTasks = await page
            .locator('.task')
            .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom < 800 - 56).length)
      }
      expect(wide).toEqual([])
      expect(visibleTasks).toBeGreaterThanOrEqual(4)
    })
})
