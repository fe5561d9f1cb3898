import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
const title = (page: Page, name: string) => page.getByRole('button', { name: `${name} bearbeiten` })

const dayIn = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now() + days * 86_400_000)

/** On a phone, in German. */
withBrowser('task days', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page

  const add = async (body: object): Promise<void> => {
    const response = await fetch(`${service.url}/api/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
  }

  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: 'Europe/Berlin' })
    browser = await openBrowser()
    visitor = await visit(browser, service.url, { width: 390, locale: 'de-DE' })
    page = visitor.page
    await signUp(visitor, '/settings', { name: 'Ana', email: 'ana@example.org', locale: 'de' })
    await add({ title: 'Steuer', dueDay: dayIn(-3) })
    await add({ title: 'Strom', dueDay: dayIn(-2) })
    await add({ title: 'Einkauf', dueDay: dayIn(0) })
    await add({ title: 'Zahnarzt', dueDay: dayIn(3) })
    await add({ title: 'Irgendwann' })
    await page.goto('/tasks?days=today')
    await title(page, 'Einkauf').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('of today show what is overdue first', async () => {
    expect(await page.locator('.task-title').allInnerTexts()).toEqual(['Steuer', 'Strom', 'Einkauf'])
    await group(page, 'Überfällig').getByText('Strom').waitFor()
    await group(page, 'Heute').getByText('Einkauf').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await pageWidth(page)).toBe(390)
  })

  it('move a task with one key, and undo moves it back', async () => {
    await title(page, 'Einkauf').focus()
    await page.keyboard.press('m')
    await expectToast(page, '„Einkauf“ ist fällig: morgen')
    await group(page, 'Heute').waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await group(page, 'Heute').getByText('Einkauf').waitFor()
    await title(page, 'Einkauf').focus()
    await page.keyboard.press('0')
    await expectToast(page, 'Fälligkeit von „Einkauf“ entfernt')
    await page.keyboard.press('z')
    await group(page, 'Heute').getByText('Einkauf').waitFor()
  })

  it('move all overdue tasks at once', async () => {
    await page.getByRole('button', { name: 'Alle verschieben' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Fällig: heute' }).click()
    await expectToast(page, '2 Aufgaben geändert')
    await expect.poll(() => group(page, 'Heute').locator('.task').count()).toBe(3)
    await page.keyboard.press('z')
    await expect.poll(() => group(page, 'Überfällig').locator('.task').count()).toBe(2)
  })

  it('that come next are groups, also the empty ones', async () => {
    await page.getByRole('button', { name: 'Liste: Heute' }).click()
    await page.getByRole('link', { name: 'Demnächst' }).click()
    await title(page, 'Zahnarzt').waitFor()
    const headings = await page.locator('h2.task-group').allInnerTexts()
    expect(headings.slice(0, 3)).toEqual(['Überfällig', 'Heute', 'Morgen'])
    expect(headings).toHaveLength(8)
    expect(await page.getByText('Irgendwann').count()).toBe(0)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    expect(await pageWidth(page)).toBe(390)
  })

  it('cause no errors in the browser', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
