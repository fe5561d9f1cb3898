import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import {
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const DAY = '2027-03-16'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.locator('.dialog').and(page.getByRole('dialog', { name }))
const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
const event = (page: Page, title: string) => page.getByRole('button', { name: new RegExp(`^${title},`) })
const open = async (page: Page): Promise<void> => {
  await openPage(page, `/calendar?view=week&date=${DAY}`)
  await page.locator('.calendar-view').waitFor()
}
const signIn = async (url: string, email: string): Promise<string> => {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  return ((await answer.json()) as { token: string }).token
}
const addEvent = async (url: string, token: string, body: object): Promise<void> => {
  const answer = await fetch(`${url}/api/calendar/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(201)
}

withBrowser('calendars that show each other', () => {
  let service: Service
  let browser: Browser
  let ana: Visitor
  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: 'Europe/Berlin' })
    browser = await openBrowser()
    ana = await visit(browser, service.url)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const addCalendar = async (page: Page, name: string): Promise<void> => {
    await button(page, 'Add calendar').click()
    await dialog(page, 'Add calendar').getByLabel('Name').fill(name)
    await dialog(page, 'Add calendar').getByRole('button', { name: 'Add' }).click()
    await page.getByRole('checkbox', { name, exact: true }).waitFor()
  }

  it('show a calendar as busy in another one, with more detail, and no longer', async () => {
    const { page } = ana
    await signUp(ana, '/calendar', { name: 'Ana Ruiz', email: 'ana@example.org', locale: 'en-GB' })
    await open(page)
    await addCalendar(page, 'Work')
    const token = await signIn(service.url, 'ana@example.org')
    await addEvent(service.url, token, {
      title: 'Doctor',
      start: `${DAY}T10:00:00+01:00`,
      end: `${DAY}T11:00:00+01:00`,
    })
    await event(page, 'Doctor').waitFor()
    await button(page, 'Actions for Calendar').click()
    await page.getByRole('menuitem', { name: 'Show as busy in…' }).click()
    const form = dialog(page, 'Show “Calendar” in another calendar')
    await form.getByText('Not shown in another calendar.').waitFor()
    expect(await form.getByLabel('Details').inputValue()).toBe('busy')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await form.getByRole('button', { name: 'Show', exact: true }).click()
    await expectToast(page, 'Events appear in “Work”')
    await form.getByText('There is no other calendar to show it in.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await page.keyboard.press('Escape')
    await event(page, 'Busy').first().click()
    const details = page.locator('.popover').and(page.getByRole('dialog', { name: 'Busy' }))
    await details.getByText('Shown from “Calendar”').waitFor()
    expect(await details.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    expect(await details.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await event(page, 'Busy').first().getAttribute('data-read-only')).toBe('true')
    await button(page, 'Actions for Calendar').click()
    await page.getByRole('menuitem', { name: 'Show as busy in…' }).click()
    await form.getByLabel('Details in “Work”').selectOption('title')
    await expectToast(page, 'Changed for “Work”')
    await form.getByRole('button', { name: 'Stop showing in “Work”' }).click()
    await expectToast(page, 'No longer shown in “Work”')
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).last().click()
    await form.getByRole('button', { name: 'Stop showing in “Work”' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => event(page, 'Doctor').count()).toBe(2)
  })

  it('work in German on a phone', async () => {
    const ben = await visit(browser, service.url, { width: 390, locale: 'de-DE' })
    const { page } = ben
    await signUp(ben, '/calendar', { name: 'Ben', email: 'ben@example.org', locale: 'de-DE' })
    await open(page)
    await page
      .getByRole('button', { name: /Kalender/ })
      .first()
      .click()
    await button(page, 'Aktionen für Kalender').click()
    await page.getByRole('menuitem', { name: 'Als belegt anzeigen in …' }).click()
    const form = dialog(page, '„Kalender“ in einem anderen Kalender anzeigen')
    await form.getByText('Es gibt keinen anderen Kalender dafür.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(await pageWidth(page)).toBeLessThanOrEqual(390)
    await page.context().close()
  })
})
