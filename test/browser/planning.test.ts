import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { expectToast, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

interface PlannedEvent {
  title: string
  start: string
  end: string
}

const DAY_MS = 86_400_000

/** A day of the account, as its form fields show it. */
const toDay = (days: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'Europe/Berlin' }).format(new Date(Date.now() + days * DAY_MS))

withBrowser('planning dialog', () => {
  let browser: Browser
  let service: Service
  let visitor: Visitor
  let page: Page
  const dialog = () => page.getByRole('dialog', { name: 'Plan my tasks' })
  const block = (title: string) => dialog().getByRole('listitem').filter({ hasText: title })
  const change = (title: string) => block(title).getByRole('button', { name: /^Change the time of/ })
  const hours = (title: string) => block(title).locator('.plan-hours').textContent()
  const listEvents = async (): Promise<PlannedEvent[]> => {
    const response = await fetch(`${service.url}/api/calendar/events?limit=200`)
    return ((await response.json()) as { events: PlannedEvent[] }).events
  }

  beforeAll(async () => {
    browser = await openBrowser()
    service = await startService()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/tasks')
    const tasks = { 'Mend the fence': 60, 'Write the report': 30, 'Call the dentist': 15 }
    for (const [title, estimateMinutes] of Object.entries(tasks))
      await fetch(`${service.url}/api/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title, estimateMinutes }),
      })
    await page.getByRole('button', { name: 'Plan my tasks' }).click()
    await block('Mend the fence').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('proposes blocks without booking them, and leaves out unticked ones', async () => {
    expect(await dialog().locator('.plan-block').count()).toBe(3)
    expect(await listEvents()).toEqual([])
    await block('Call the dentist').getByRole('checkbox').uncheck()
    await expect.poll(() => change('Call the dentist').count()).toBe(0)
  })

  it('moves and resizes a block by keyboard, and keeps the focus', async () => {
    await change('Mend the fence').press('Enter')
    expect(await change('Mend the fence').getAttribute('aria-expanded')).toBe('true')
    const day = block('Mend the fence').getByRole('textbox', { name: 'Day' })
    await day.fill(toDay(3, 'en-US'))
    await block('Mend the fence')
      .getByText(String(new Date(Date.now() + 3 * DAY_MS).getFullYear()))
      .waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toMatch(/^day-/)
    await block('Mend the fence').getByRole('textbox', { name: 'Starts' }).fill('20:00')
    await block('Mend the fence').getByRole('spinbutton', { name: 'Minutes' }).fill('45')
    await expect.poll(() => hours('Mend the fence')).toMatch(/8:00.*8:45/)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await change('Mend the fence').press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toMatch(/^plan-change-/)
  })

  it('moves and resizes a block by dragging its bar', async () => {
    const bar = dialog().locator('.plan-bar', { hasText: 'Mend the fence' })
    /** Drags from a part of the bar, by a part of its width. */
    const drag = async (from: 'middle' | 'end', widths: number) => {
      await bar.scrollIntoViewIfNeeded()
      const box = await bar.boundingBox()
      if (!box) throw new Error('The block has no bar.')
      const x = from === 'end' ? box.x + box.width - 4 : box.x + box.width / 2
      const y = box.y + box.height / 2
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + box.width * widths, y, { steps: 4 })
      await page.mouse.up()
    }
    await drag('end', 1 / 3)
    await expect.poll(() => hours('Mend the fence')).toMatch(/8:00.*9:00/)
    await drag('middle', 1 / 2)
    await expect.poll(() => hours('Mend the fence')).toMatch(/8:30.*9:30/)
  })

  it('books the blocks as they were changed, and undo removes all of them', async () => {
    await dialog().getByRole('button', { name: 'Add to calendar' }).click()
    await expectToast(page, '2 blocks added to the calendar')
    const events = await listEvents()
    expect(events.map(({ title }) => title).toSorted()).toEqual(['Mend the fence', 'Write the report'])
    await page.getByRole('button', { name: 'Plan my tasks' }).click()
    const planned = dialog().getByRole('region', { name: 'Already planned' })
    await planned.getByText('Mend the fence').waitFor()
    expect(await dialog().getByRole('region', { name: 'Not planned' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    const fence = events.find(({ title }) => title === 'Mend the fence')
    expect(Date.parse(fence?.end ?? '') - Date.parse(fence?.start ?? '')).toBe(3_600_000)
    await undo(page, '2 blocks added to the calendar')
    await expectToast(page, 'Plan undone')
    await expect.poll(listEvents).toEqual([])
    expect(visitor.browserErrors).toEqual([])
  })

  it('is in German and fits on a phone', async () => {
    const german = await visit(browser, service.url, { locale: 'de-DE', width: 390 })
    const { page: seite } = german
    await signUp(german, '/tasks', { name: 'Jürgen', email: 'juergen@example.org', locale: 'de-DE' })
    await seite.getByRole('textbox', { name: 'Neue Aufgabe' }).fill('Zaun streichen')
    await seite.keyboard.press('Enter')
    await seite.getByRole('checkbox', { name: /Zaun streichen/ }).waitFor()
    await seite.getByRole('button', { name: 'Aufgaben einplanen' }).click()
    const plan = seite.getByRole('dialog', { name: 'Aufgaben einplanen' })
    await plan.getByRole('button', { name: 'Zeit von Zaun streichen ändern' }).click()
    await plan.getByRole('textbox', { name: 'Beginn' }).fill('20')
    await expect.poll(() => plan.locator('.plan-hours').textContent()).toMatch(/^20:00/)
    expect(await plan.innerText()).not.toMatch(/\b(Day|Starts|Minutes|Period|Next)\b/)
    expect(await pageWidth(seite)).toBe(390)
    expect(german.browserErrors).toEqual([])
    await german.context.close()
  })
})
