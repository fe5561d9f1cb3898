import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import {
  navigate,
  openBrowser,
  openPage,
  pathOf,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

withBrowser('command palette and quick add', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/tasks')
    for (const subject of ['Plums from the garden', 'Invoice for October'])
      await visitor.context.request.post('/api/emails', {
        data: { from: 'Bo <bo@example.org>', subject, text: 'Hello Ana.' },
      })
    await visitor.context.request.post('/api/tasks', { data: { title: 'Water the plants' } })
  })
  beforeEach(async () => {
    await openPage(page, '/tasks')
    await page
      .getByRole('button', { name: /Water the plants/ })
      .first()
      .waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const palette = () => page.getByRole('dialog', { name: 'Command palette' })
  const group = (name: string) => palette().getByRole('group', { name })
  const option = (name: string | RegExp) => palette().getByRole('option', { name })
  const toast = (text: string) => page.locator('.toast', { hasText: text })
  const openPalette = async (typed = '') => {
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type(typed)
  }
  const choose = async (typed: string, name: string | RegExp) => {
    await openPalette(typed)
    await palette().getByRole('option', { name, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await palette().waitFor({ state: 'detached' })
  }
  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')

  it('shows commands with their shortcuts and has no accessibility issues', async () => {
    await openPalette()
    expect(
      await palette().getByRole('option', { name: 'Mail', exact: true }).locator('kbd').allTextContents(),
    ).toEqual(['g', 'm'])
    expect(await option('Quick add').locator('kbd').allTextContents()).toEqual(['q'])
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
  })

  it('opens every settings section, also if letters are missing', async () => {
    await choose('webhok', /^Webhooks/)
    await expect.poll(() => pathOf(page)).toBe('/settings/webhooks')
  })

  it('changes the theme in a second list, and Backspace returns to the first', async () => {
    await openPalette('change th')
    await page.keyboard.press('Enter')
    await option('Dark theme').waitFor()
    await page.keyboard.press('Backspace')
    await group('Go to').waitFor()
    await page.keyboard.type('dark')
    await palette().getByRole('option', { name: 'Dark theme', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await choose('system th', 'System theme')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme ?? null')).toBe(null)
  })

  it('lists recent commands and items first, per account', async () => {
    await choose('plums', /^Plums from the garden/)
    await page.getByRole('heading', { level: 2, name: 'Plums from the garden' }).waitFor()
    await navigate(page, '/audit')
    await openPalette()
    await group('Recent').waitFor()
    expect(await group('Recent').getByRole('option').first().innerText()).toContain('Plums from the garden')
    expect(await palette().getByRole('option').first().innerText()).toContain('Plums from the garden')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Plums from the garden' }).waitFor()
  })

  it('acts on the focused task', async () => {
    await page
      .getByRole('button', { name: /Water the plants/ })
      .first()
      .focus()
    await openPalette()
    await group('Water the plants').waitFor()
    await page.keyboard.type('due')
    await page.keyboard.press('Enter')
    await option('Due tomorrow').waitFor()
    await page.keyboard.type('tomorrow')
    await page.keyboard.press('Enter')
    await palette().waitFor({ state: 'detached' })
    await page
      .getByText(/tomorrow/)
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: /Water the plants/ })
      .first()
      .focus()
    await choose('compl', 'Complete')
    await page
      .getByRole('button', { name: /Water the plants/ })
      .first()
      .waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await page
      .getByRole('button', { name: /Water the plants/ })
      .first()
      .waitFor()
  })

  it('tags, stars and archives the open email', async () => {
    await choose('invoice', /^Invoice for October/)
    const heading = page.getByRole('heading', { level: 2, name: 'Invoice for October' })
    await heading.waitFor()
    await openPalette()
    await group('Invoice for October').waitFor()
    await page.keyboard.type('add tag')
    await page.keyboard.press('Enter')
    await page.getByPlaceholder('Add tag…').waitFor()
    await page.keyboard.type('finance')
    await page.keyboard.press('Enter')
    await palette().waitFor({ state: 'detached' })
    const read = async () => {
      const answer = await visitor.context.request.get('/api/emails?q=invoice')
      const { emails } = (await answer.json()) as {
        emails: { tags: string[]; starred: boolean; folder: string }[]
      }
      return emails[0]
    }
    await expect.poll(async () => (await read())?.tags).toEqual(['finance'])
    await openPalette()
    await page.keyboard.type('reply')
    await palette().getByRole('option', { name: 'Reply', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await choose('star', 'Star')
    await expect.poll(async () => (await read())?.starred).toBe(true)
    await choose('arch', 'Archive')
    await expect.poll(async () => (await read())?.folder).toBe('archive')
  })

  it('acts on the focused and on the open event', async () => {
    // The service runs in UTC; the timezone of the test process is another.
    const start = `${new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)}T12:00:00.000Z`
    const made = await visitor.context.request.post('/api/calendar/events', {
      data: { title: 'Tasting', start, meetingUrl: 'https://meet.example.org/tasting' },
    })
    const { id } = (await made.json()) as { id: number }
    const readStart = async () => {
      const answer = await visitor.context.request.get(`/api/calendar/events/${id}`)
      return ((await answer.json()) as { start: string }).start
    }
    const daysMoved = async () => Math.round((Date.parse(await readStart()) - Date.parse(start)) / 86_400_000)
    const event = page.getByRole('button', { name: /^Tasting,/ }).first()
    await openPage(page, `/calendar?view=month&date=${start.slice(0, 10)}`)
    await event.focus()
    await openPalette()
    await group('Tasting').waitFor()
    expect(await group('Tasting').getByRole('option', { name: 'Delete' }).locator('kbd').innerText()).toBe(
      'Delete',
    )
    await option('Join meeting').waitFor()
    await page.keyboard.type('tomorrow')
    await palette().getByRole('option', { name: 'Move to tomorrow', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await toast('“Tasting” moved').waitFor()
    await expect.poll(daysMoved).toBe(4)
    await openPage(page, `/calendar?view=day&date=${(await readStart()).slice(0, 10)}`)
    await event.click()
    const details = page.getByRole('dialog', { name: 'Tasting' })
    await details.waitFor()
    await openPalette()
    await group('Tasting').waitFor()
    expect(await option('Move to tomorrow').count()).toBe(0)
    expect(await option('Show details').count()).toBe(0)
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await details.waitFor()
    await choose('edit', 'Edit')
    const editor = page.getByRole('dialog', { name: 'Edit event' })
    await editor.waitFor()
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'detached' })
    await event.focus()
    await choose('delete', 'Delete')
    await event.waitFor({ state: 'detached' })
  })

  it('adds a task from any page with q, and offers Undo and Open', async () => {
    await navigate(page, '/audit')
    await page.keyboard.press('q')
    const popover = page.getByRole('dialog', { name: 'Quick add' })
    await popover.getByLabel('New task').waitFor()
    expect(await page.locator('.dialog-veil').count()).toBe(0)
    await page.keyboard.type('Call Bo tomorrow at 9am #family')
    await popover.locator('.quick-piece', { hasText: 'family' }).waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Enter')
    await popover.waitFor({ state: 'detached' })
    await toast('Task “Call Bo” added').getByRole('button', { name: 'Undo' }).waitFor()
    await toast('Task “Call Bo” added').getByRole('button', { name: 'Open' }).click()
    await expect.poll(() => pathOf(page)).toBe('/tasks')
    await page.getByRole('complementary', { name: 'Task', exact: true }).waitFor()
  })

  it('adds an event from any page and undoes it', async () => {
    await navigate(page, '/audit')
    await page.getByRole('button', { name: 'Quick add' }).click()
    const popover = page.getByRole('dialog', { name: 'Quick add' })
    await popover.getByRole('radio', { name: 'Event' }).check()
    await popover.getByLabel('New event').fill('Dentist')
    await page.keyboard.press('Enter')
    await popover.getByText('Add a day or a time').waitFor()
    await popover.getByLabel('New event').fill('Dentist tomorrow at 14:00 for 30 min')
    await popover.locator('.quick-piece').first().waitFor()
    await page.keyboard.press('Enter')
    await popover.waitFor({ state: 'detached' })
    const read = async () => {
      const answer = await visitor.context.request.get('/api/calendar/upcoming?days=3')
      return ((await answer.json()) as { events: { title: string; start: string; end: string }[] }).events
    }
    await toast('Event “Dentist” added').waitFor()
    const [event] = await read()
    expect(event?.title).toBe('Dentist')
    expect(Date.parse(event?.end ?? '') - Date.parse(event?.start ?? '')).toBe(30 * 60_000)
    await toast('Event “Dentist” added').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await read()).length).toBe(0)
  })

  it('returns the focus after Escape, from the palette and from quick add', async () => {
    await page
      .getByRole('button', { name: /Water the plants/ })
      .first()
      .focus()
    await openPalette()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await expect.poll(focused).toMatch(/Water the plants/)
    await page.keyboard.press('q')
    await page.getByRole('dialog', { name: 'Quick add' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toMatch(/Water the plants/)
    expect(visitor.browserErrors).toEqual([])
  })
})
