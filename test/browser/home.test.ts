import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, startInstance } from '../support/instance.ts'
import { sampleOf } from '../support/scale.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import {
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  pathOf,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))
const HOUR_MS = 3_600_000

/** A time zone in which it is noon now, so that the day neither begins nor ends during the test. */
const zoneAtNoon = (): string => {
  const offset = 12 - new Date().getUTCHours()
  // The sign is inverted in these names.
  return offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
}

withBrowser('console home page', () => {
  const timezone = zoneAtNoon()
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let token: string
  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: timezone }, deps: { consoleDirectory } })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url)
    page = visitor.page
    await signUp(visitor, '/')
    const signedIn = await instance.post('/api/auth/login', { email: 'ana@example.org', password: PASSWORD })
    token = signedIn.body.token
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const dayOf = (instant: string) =>
    new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(new Date(instant))
  const today = () => page.getByRole('region', { name: 'Today', exact: true })
  const group = (name: string) => today().getByRole('region', { name, exact: true })
  const row = (title: string) => today().getByRole('listitem').filter({ hasText: title })
  const toast = (text: string | RegExp) => page.locator('.toast').getByText(text).waitFor()
  const addressOf = () => `${pathOf(page)}${new URL(page.url()).search}`

  it('shows an empty day and the first steps, without server facts', async () => {
    await today().getByText('Your day appears here').waitFor()
    expect(await today().getByText('Nothing left for today').count()).toBe(0)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('Add an email account').waitFor()
    expect(await page.getByText(/SQLite|Signed in elsewhere|activity/).count()).toBe(0)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'home-empty')
  })

  // Most other tests are in English, so the short form takes the German page.
  const NEWCOMERS = [
    {
      locale: 'de-DE',
      greeting: /, Robin$/,
      empty: 'Hier erscheint dein Tag',
      connect: 'E-Mail verbinden',
      connectCalendar: 'Kalender verbinden',
      other: 'Anderer Anbieter',
      sender: 'Absendername',
      moveIn: 'Importieren',
      imports: 'Importieren',
      calendar: 'Kalender',
    },
    {
      locale: 'en-GB',
      greeting: /, Robin$/,
      empty: 'Your day appears here',
      connect: 'Connect email',
      connectCalendar: 'Connect a calendar',
      other: 'Other provider',
      sender: 'Sender name',
      moveIn: 'Import',
      imports: 'Import',
      calendar: 'Calendar',
    },
  ]
  it.each(sampleOf(NEWCOMERS, 1))(
    'leads a newcomer to the first connection and the import ($locale)',
    async (texts) => {
      const newcomer = await visit(browser, instance.url, { locale: texts.locale, width: 1440 })
      const email = `robin-${texts.locale.toLowerCase()}@example.org`
      await signUp(newcomer, '/', { name: 'Robin Vega', email, locale: texts.locale })
      const { page: home } = newcomer
      await home.getByRole('heading', { level: 1, name: texts.greeting }).waitFor()
      await home.getByText(texts.empty).waitFor()
      expect(await findAccessibilityIssues(home)).toEqual([])
      await takeScreenshots(home, `first-run-${texts.locale}-1440`)
      await home.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => pageWidth(home)).toBe(390)
      await takeScreenshots(home, `first-run-${texts.locale}-390`)
      await home.setViewportSize({ width: 1440, height: 900 })
      // One dialog, on the same page.
      await home.getByRole('button', { name: texts.connect }).first().click()
      const dialog = home.getByRole('dialog')
      expect(await dialog.locator('input[type=email]').inputValue()).toBe(email)
      await dialog.getByRole('button', { name: texts.other }).click()
      expect(await dialog.getByLabel(texts.sender, { exact: true }).inputValue()).toBe('Robin Vega')
      expect(pathOf(home)).toBe('/')
      expect(await findAccessibilityIssues(home, ON_TOP)).toEqual([])
      await takeScreenshots(home, `first-run-${texts.locale}-connect`)
      await home.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await home.getByRole('button', { name: texts.connectCalendar }).click()
      await dialog.getByRole('radio').first().waitFor()
      await home.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await home.getByRole('link', { name: texts.moveIn, exact: true }).click()
      await home.getByRole('heading', { level: 1, name: texts.imports }).waitFor()
      // The first calendar has a name of the reader's language until it is renamed.
      await home.goto('/calendar')
      await home.locator('.calendar-name', { hasText: texts.calendar }).first().waitFor()
      expect(newcomer.browserErrors).toEqual([])
      await newcomer.context.close()
    },
  )

  it('adds a task and an event from one line', async () => {
    const form = page.getByRole('form', { name: 'Quick add' })
    const field = form.getByRole('textbox')
    await field.fill('Pay the rent today #home')
    await form.locator('.quick-piece', { hasText: 'home' }).waitFor()
    await field.press('Enter')
    await toast('Task “Pay the rent” added')
    await group('All day').getByText('Pay the rent').waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    await form.getByRole('radio', { name: 'Event' }).check()
    await form.getByLabel('New event').fill('Without a date')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByText('Add a day or a time').waitFor()
    expect(await field.inputValue()).toBe('Without a date')
    await field.fill('Call Ben today at 23:30')
    await form.locator('.quick-piece').first().waitFor()
    await form.getByRole('button', { name: 'Add' }).click()
    await group('Schedule').getByText('Call Ben').waitFor()
    const { body } = await instance.get(`/api/calendar/events?start=${at(-24)}&end=${at(24)}`)
    expect(body.events).toMatchObject([{ title: 'Call Ben', allDay: false }])
    expect(Date.parse(body.events[0].end) - Date.parse(body.events[0].start)).toBe(HOUR_MS)
  })

  it('lists overdue and planned things in order, with a marker for now', async () => {
    const event = (title: string, start: number, end: number, more = {}) =>
      instance.post('/api/calendar/events', { title, start: at(start), end: at(end), ...more })
    await event('Breakfast', -4, -3)
    await event('Design review', -0.5, 1, {
      location: 'Room 4',
      meetingUrl: 'https://meet.example.org/design',
    })
    await event('Dentist', 0.5, 2)
    await event('Intro call', 3, 4, { bookingId: 'booking-1' })
    await event('Tomorrow’s meeting', 24, 25)
    await instance.post('/api/tasks', {
      title: 'Water the plants',
      dueAt: dayOf(at(-72)),
      estimateMinutes: 15,
    })
    await instance.post('/api/tasks', { title: 'Send the report', dueAt: at(6) })
    await page.reload()
    await group('Overdue').getByText('Water the plants').waitFor()
    const titles = await group('Schedule')
      .locator('.today-row a.row-words, .today-now > :last-child')
      .allTextContents()
    expect(titles).toEqual([
      'Breakfast',
      'Design review',
      'Now',
      'Dentist',
      'Intro call',
      'Send the report',
      'Call Ben',
    ])
    await row('Design review').getByText('Conflict').waitFor()
    expect(await row('Design review').getByRole('link', { name: /^Join/ }).getAttribute('href')).toBe(
      'https://meet.example.org/design',
    )
    expect(await row('Breakfast').getAttribute('data-past')).toBe('true')
    const tomorrow = today().getByText('Tomorrow’s meeting')
    expect(await tomorrow.isVisible()).toBe(false)
    await today().locator('summary').click()
    expect(await tomorrow.isVisible()).toBe(true)
    // Nothing is listed twice.
    for (const title of ['Design review', 'Pay the rent', 'Water the plants'])
      expect([title, await page.getByText(title, { exact: true }).count()]).toEqual([title, 1])
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('completes a task and undoes it, with the keyboard', async () => {
    const box = page.getByRole('checkbox', { name: 'Complete “Pay the rent”' })
    await box.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => box.count()).toBe(0)
    const statusOf = async (title: string) =>
      (await instance.get('/api/tasks?limit=50')).body.tasks.find(
        (task: { title: string }) => task.title === title,
      )?.status
    await expect.poll(() => statusOf('Pay the rent')).toBe('done')
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).first().click()
    await box.waitFor()
    await expect.poll(() => statusOf('Pay the rent')).toBe('todo')
  })

  it('plans a task into free time, and undoes the plan', async () => {
    await page.getByRole('button', { name: 'Plan time for “Water the plants”' }).click()
    await toast(/^Planned “Water the plants”/)
    const planned = async () =>
      (await instance.get(`/api/calendar/events?start=${at(-1)}&end=${at(24 * 8)}`)).body.events.filter(
        ({ tags }: { tags: string[] }) => tags.includes('focus'),
      )
    expect(await planned()).toMatchObject([{ title: 'Water the plants' }])
    const notice = page.locator('.toast').filter({ hasText: 'Planned “Water the plants”' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(planned).toEqual([])
  })

  it('moves a task to another day', async () => {
    await page.getByRole('button', { name: 'More actions for “Water the plants”' }).click()
    await page.getByRole('menuitem', { name: 'Due today' }).click()
    await group('All day').getByText('Water the plants').waitFor()
    expect(await group('Overdue').count()).toBe(0)
  })

  it('accepts an invitation', async () => {
    const server = { host: 'mail.example.org', port: 993, tls: 'implicit' }
    const account = { address: 'ana@example.org', password: 'x', imap: server, smtp: server }
    expect((await instance.post('/api/settings/mail-accounts', account, { token })).status).toBe(201)
    const { body } = await instance.post('/api/calendar/events', {
      title: 'Planning',
      start: at(7),
      end: at(8),
      organizer: { name: 'Ben', email: 'ben@okafor.example' },
      attendees: [{ name: 'Ana', email: 'ana@example.org', status: 'needs-action' }],
    })
    await page.reload()
    await row('Planning').getByRole('button', { name: 'Accept: “Planning”' }).click()
    await toast('Invitation accepted')
    await expect
      .poll(() =>
        row('Planning')
          .getByRole('button', { name: /^Accept/ })
          .count(),
      )
      .toBe(0)
    const { attendees } = (await instance.get(`/api/calendar/events/${body.id}`)).body
    expect(attendees[0].status).toBe('accepted')
  })

  it('archives and answers emails', async () => {
    const mail = { to: ['ana@example.org'], date: at(-1) }
    const first = await instance.post('/api/emails', {
      ...mail,
      from: 'Ben Okafor <ben@okafor.example>',
      subject: 'Kitchen',
      text: 'Could you send me the offer for the kitchen by Friday?',
    })
    const second = await instance.post('/api/emails', {
      ...mail,
      from: 'Ines Falk <ines@falk.example>',
      subject: 'Bathroom',
      text: 'Can you call me about the bathroom today?',
    })
    await page.reload()
    const waiting = group('Waiting for your reply')
    await waiting.getByText('Could you send me the offer').waitFor()
    await takeScreenshots(page, 'home')
    await page.setViewportSize({ width: 390, height: 844 })
    await takeScreenshots(page, 'home-small')
    await page.setViewportSize({ width: 1280, height: 900 })
    const folderOf = async () => (await instance.get(`/api/emails/${second.body.id}`)).body.folder
    await waiting.getByRole('button', { name: 'Archive “Bathroom”' }).click()
    await toast('Email archived')
    expect(await folderOf()).toBe('archive')
    expect(await waiting.getByText('Bathroom', { exact: true }).count()).toBe(0)
    const notice = page.locator('.toast').filter({ hasText: 'Email archived' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await waiting.getByText('Bathroom', { exact: true }).waitFor()
    expect(await folderOf()).toBe('inbox')
    await waiting.getByRole('button', { name: 'Reply to Ben Okafor' }).click()
    await expect.poll(() => pathOf(page)).toBe(`/mail/inbox/${first.body.id}`)
    await page.locator('.composer').getByTitle('ben@okafor.example').waitFor()
  })

  it('opens tasks and events', async () => {
    await openPage(page, '/')
    await row('Intro call').getByText('Booking').waitFor()
    await row('Intro call').getByRole('link', { name: 'Intro call' }).click()
    await expect.poll(addressOf).toBe(`/calendar?view=day&date=${dayOf(at(0))}`)
    await page.goBack()
    await row('Water the plants').getByRole('link', { name: 'Water the plants' }).click()
    await expect.poll(addressOf).toMatch(/^\/tasks\?task=\d+$/)
  })

  it('hides the first steps for good', async () => {
    await openPage(page, '/')
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('Add a calendar').waitFor()
    // The step is done.
    expect(await steps.getByText('Add an email account').count()).toBe(0)
    await steps.getByRole('button', { name: 'Hide' }).click()
    await expect.poll(() => steps.count()).toBe(0)
    await page.reload()
    await row('Intro call').first().waitFor()
    expect(await steps.count()).toBe(0)
  })

  it('fits a phone screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openPage(page, '/')
    await row('Design review').first().waitFor()
    await expect.poll(() => pageWidth(page)).toBe(360)
    expect(visitor.browserErrors).toEqual([])
  })
})
