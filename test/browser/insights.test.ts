import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from '../support/clock.ts'
import { type Instance, startInstance } from '../support/instance.ts'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))

withBrowser('console insights page', () => {
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' }, deps: { consoleDirectory } })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url)
    page = visitor.page
    await signUp(visitor, '/')
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const chart = (name: string) => page.getByRole('slider', { name, exact: true })
  /** Noon of an earlier day. */
  const daysAgo = (days: number, minutes = 0): string =>
    new Date(Math.floor(Date.now() / DAY - days) * DAY + DAY / 2 + minutes * 60_000).toISOString()
  const rowsOf = (name: string) => card(name).locator('tbody tr').count()

  it('opens from the navigation and shows empty states', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Insights' }).click()
    await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor()
    await card('Emails').getByText('No data in this period').waitFor()
    await card('AI cost').getByText('No data in this period').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('shows charts with units and totals', async () => {
    for (let day = 0; day < 20; day++) {
      const messageId = `m${day}@b.example`
      await instance.post('/api/emails', {
        from: 'ben@b.example',
        subject: `Question ${day}`,
        messageId,
        date: daysAgo(day + 1),
      })
      if (day % 2 === 0)
        await instance.post('/api/emails', {
          from: 'ana@example.org',
          folder: 'sent',
          subject: `Re: Question ${day}`,
          inReplyTo: messageId,
          date: daysAgo(day + 1, 30 + day),
        })
      await instance.post('/api/calendar/events', {
        title: 'Meeting',
        start: daysAgo(day + 1),
        end: daysAgo(day + 1, 45 + day),
      })
    }
    await instance.post('/api/tasks', { title: 'One', status: 'done' })
    await instance.post('/api/tasks', { title: 'Two' })
    await page.reload()
    await chart('Emails').waitFor()
    await chart('Emails').locator('canvas').waitFor()
    await card('Emails').getByText('Received: 20', { exact: true }).waitFor()
    await card('Emails').getByText('Answered: 10', { exact: true }).waitFor()
    await card('Reply time').getByText('Median: 39 min', { exact: true }).waitFor()
    await card('Tasks').getByText('Completed: 1', { exact: true }).waitFor()
    expect(await rowsOf('Emails')).toBe(30)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await takeScreenshots(page, 'insights')
  })

  it('shows single values by keyboard and by pointer', async () => {
    const emails = chart('Emails')
    await emails.focus()
    await page.keyboard.press('End')
    const today = new Intl.DateTimeFormat('en', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
    }).format(new Date())
    await expect
      .poll(() => emails.getAttribute('aria-valuetext'))
      .toBe(`${today}, Received: 0, Sent: 0, Answered: 0`)
    await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() => emails.getAttribute('aria-valuetext'))
      .toMatch(/, Received: 1, Sent: 1, Answered: 1$/)
    await card('Emails').getByText('Received: 1', { exact: true }).waitFor()
    await page.keyboard.press('Home')
    await expect.poll(() => emails.getAttribute('aria-valuenow')).toBe('0')
    const box = await chart('Tasks').locator('.u-over').boundingBox()
    if (!box) throw new Error('The chart has no size.')
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2)
    await card('Tasks').getByText('Created: 2', { exact: true }).waitFor()
    await expect.poll(() => chart('Tasks').getAttribute('aria-valuenow')).toBe('29')
  })

  it('keeps the range in the address', async () => {
    const choose = (name: string) => page.getByRole('link', { name, exact: true }).click()
    await choose('7 days')
    await expect.poll(() => rowsOf('Emails')).toBe(7)
    expect(new URL(page.url()).search).toBe('?range=7d')
    await choose('12 months')
    await expect.poll(() => rowsOf('Emails')).toBe(12)
    await page.reload()
    await expect.poll(() => rowsOf('Emails')).toBe(12)
    await page.goBack()
    await expect.poll(() => rowsOf('Emails')).toBe(7)
    await choose('90 days')
    await expect.poll(() => rowsOf('Emails')).toBeGreaterThan(12)
    await expect.poll(() => rowsOf('Emails')).toBeLessThan(15)
  })

  it('shows tables on request', async () => {
    await openPage(page, '/insights')
    await chart('Emails').waitFor()
    await page.getByRole('switch', { name: 'Show as table' }).click()
    await expect.poll(() => page.getByRole('slider').count()).toBe(0)
    const table = page.getByRole('table', { name: 'Emails' })
    await table.getByRole('columnheader', { name: 'Received' }).waitFor()
    expect((await table.boundingBox())?.width).toBeGreaterThan(200)
    expect(await table.locator('tfoot td').allTextContents()).toEqual(['20', '10', '10'])
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'insights-table')
  })

  it('fits a phone screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openPage(page, '/insights')
    await chart('Emails').waitFor()
    await expect.poll(() => pageWidth(page)).toBe(360)
    await takeScreenshots(page, 'insights-small')
    expect(visitor.browserErrors).toEqual([])
  })
})
