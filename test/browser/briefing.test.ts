import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, startInstance } from '../support/instance.ts'
import { createLoopbackWorld } from '../support/loopback-world.ts'
import { findAccessibilityIssues, waitForAnimations } from './faults.ts'
import { openBrowser, pageWidth, pathOf, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chairs from Graz</title></head>
<body><h1>Chairs</h1><img src="/oak.jpg"><a href="/oak">Oak chairs</a></body></html>`

/** Takes screenshots if TEST_PICTURES is set. */
const pictures = process.env.TEST_PICTURES
const takeScreenshots = async (page: Page, name: string): Promise<void> => {
  if (!pictures) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await waitForAnimations(page)
    await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

withBrowser('console briefing and audit', () => {
  const world = createLoopbackWorld()
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let port: number
  let answerNow: (() => void) | undefined
  beforeAll(async () => {
    const site = await world.serve(async (request, response) => {
      if (request.url === '/slow') await new Promise<void>((resolve) => (answerNow = resolve))
      if (request.url === '/gone') return response.writeHead(404).end()
      return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    })
    port = site.port
    instance = await startInstance({
      environment: { TZ_DEFAULT: 'UTC' },
      deps: { outbound: world.client(), consoleDirectory },
    })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url, { expected: [{ status: 400, path: /digital-audit$/ }] })
    page = visitor.page
    await signUp(visitor, '/')
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
    await world.end()
  })
  const today = () => page.getByRole('region', { name: 'Today', exact: true })

  it('shows an empty day', async () => {
    await today().getByText('A quiet day').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('summarizes the day and links to its items', async () => {
    const now = instance.clock.now().getTime()
    const noon = new Date(now)
    noon.setUTCHours(12, 0, 0, 0)
    const at = (hours: number) => new Date(noon.getTime() + hours * 3_600_000).toISOString()
    await instance.post('/api/calendar/events', {
      title: 'Design review',
      start: at(0),
      end: at(2),
      location: 'Room 4',
    })
    await instance.post('/api/calendar/events', { title: 'Dentist', start: at(1), end: at(1.5) })
    await instance.post('/api/tasks', { title: 'Pay the rent', dueAt: at(0).slice(0, 10) })
    await instance.post('/api/tasks', { title: 'Water the plants', dueAt: at(-72) })
    const mail = { date: new Date(now - 3_600_000).toISOString() }
    const question = await instance.post('/api/emails', {
      ...mail,
      from: 'Ben Okafor <ben@okafor.example>',
      subject: 'Kitchen',
      text: 'Could you send me the offer for the kitchen by Friday?',
    })
    await instance.post('/api/emails', {
      ...mail,
      from: 'Ines Falk <ines@falk.example>',
      subject: 'Drawings',
      text: 'I will send you the drawings tomorrow.',
    })
    await page.reload()
    await today().getByText('2 events are in the calendar').waitFor()
    const part = (name: string) => today().getByRole('region', { name })
    await part('Conflicts').getByText('Design review and Dentist').waitFor()
    await part('In the calendar').getByText('Room 4').waitFor()
    await part('Due')
      .getByRole('listitem')
      .filter({ hasText: 'Water the plants' })
      .getByText('Overdue')
      .waitFor()
    await part('Due').getByText('Pay the rent').waitFor()
    await part('Promised').getByText('I will send you the drawings tomorrow.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'briefing')
    await part('Waiting for your answer')
      .getByRole('link', { name: /Could you send me the offer/ })
      .click()
    await page.getByRole('heading', { name: 'Kitchen' }).waitFor()
    await expect.poll(() => pathOf(page)).toBe(`/mail/inbox/${question.body.id}`)
  })

  it('validates the address and audits a page', async () => {
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: /Ana/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
    await page.getByText('No page looked at yet').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Audit' }).click()
    await page.getByText('Address is required.').waitFor()
    await page.getByLabel('Address').fill(`http://chairs.test:${port}/slow`)
    await page.getByLabel('Name for the report').fill('Chairs Ltd')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
    await expect.poll(() => answerNow).toBeDefined()
    answerNow?.()
    await page.getByRole('heading', { level: 2, name: 'Digital audit of Chairs Ltd' }).waitFor()
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe('Digital audit of Chairs Ltd')
    await page.getByText('<img src="/oak.jpg">').first().waitFor()
    await page.getByText('The page is not encrypted.').first().waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'audit')
  })

  it('copies the report as Markdown', async () => {
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await page.getByText('Copied.').waitFor({ state: 'attached' })
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(copied).toContain('# Digital audit of Chairs Ltd')
    expect(copied).toContain('<img src="/oak.jpg">')
  })

  it('shows an error beside the address of an unavailable page', async () => {
    await page.getByLabel('Address').fill(`http://chairs.test:${port}/gone`)
    await page.getByRole('button', { name: 'Audit' }).click()
    await page
      .getByText(`Could not fetch the page (status): chairs.test:${port} responded with status 404.`)
      .waitFor()
    await page.getByLabel('Address').fill('http://127.0.0.1/')
    await page.getByRole('button', { name: 'Audit' }).click()
    await page.getByText(/127\.0\.0\.1 is not a public address/).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('fits a phone screen', async () => {
    for (const path of ['/', '/audit']) {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path === '/') await today().getByText('2 events are in the calendar').waitFor()
      await expect.poll(() => pageWidth(page)).toBe(360)
      await takeScreenshots(page, path === '/' ? 'briefing-small' : 'audit-small')
    }
    expect(visitor.browserErrors).toEqual([])
  })
})
