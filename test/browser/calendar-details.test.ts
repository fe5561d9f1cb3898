import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, pageWidth, signUp, visit, withBrowser } from './visitor.ts'

const DAY = '2040-03-06'
const MEETING = { title: 'Budget', start: `${DAY}T10:00:00+01:00`, end: `${DAY}T11:00:00+01:00` }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.locator('.dialog').and(page.getByRole('dialog', { name }))
const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()
const chips = (page: Page) => page.locator('.chip:not([data-ghost])', { hasText: 'Budget' })

/** Calls the API as a person. */
const openApi = async (url: string, email: string) => {
  const send = async (path: string, method: string, body: object, token = '') => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    expect(answer.ok).toBe(true)
    return answer.json() as Promise<{ token: string }>
  }
  const { token } = await send('/auth/login', 'POST', { email, password: PASSWORD })
  return {
    create: (body: object) => send('/calendar/events', 'POST', body, token),
    prefer: (body: object) => send('/settings/preferences', 'PATCH', body, token),
  }
}

withBrowser('details of events', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService({ TZ_DEFAULT: 'Europe/Berlin' })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('get a video call and buffers', async () => {
    const visitor = await visit(browser, service.url, { width: 1440 })
    const { page } = visitor
    await signUp(visitor, '/settings/preferences', { name: 'Ana', email: 'ana@example.org', locale: 'en-GB' })
    const api = await openApi(service.url, 'ana@example.org')
    await api.prefer({ timezone: 'Europe/Berlin' })
    const calls = page.locator('#calls')
    await calls.getByLabel('Link for new video calls').fill('https://meet.example/{random}')
    await calls.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Link for video calls saved')

    await openPage(page, `/calendar?view=day&date=${DAY}`)
    await button(page, 'New event').click()
    await page.locator('.popover input[name="title"]').fill('Budget')
    await page.getByLabel('Add video call').check()
    await button(page, 'More options').click()
    const editor = dialog(page, 'New event')
    expect(await editor.getByLabel('Add video call').isChecked()).toBe(true)
    await editor.locator('input[name="startTime"]').fill('10:00')
    await editor.locator('input[name="endTime"]').fill('11:00')
    await editor.getByLabel('Travel or buffer before').selectOption('30')
    await editor.getByLabel('Travel or buffer after').selectOption('45')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await editor.getByRole('button', { name: 'Create' }).click()
    await chips(page).waitFor()
    expect(await page.locator('.hours-buffer').count()).toBe(2)
    await takeScreenshots(page, 'buffers-en-1440')
    await chips(page).click()
    const details = page.getByRole('dialog', { name: 'Budget' })
    await details.getByText('30 minutes before the start').waitFor()
    expect(await details.getByRole('link', { name: 'Join' }).getAttribute('href')).toMatch(
      /^https:\/\/meet\.example\/[\w-]{22}$/,
    )
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(visitor.browserErrors).toEqual([])
  })

  it('work in German on a phone', async () => {
    const visitor = await visit(browser, service.url, { width: 390, locale: 'de-DE', hasTouch: true })
    const { page } = visitor
    await signUp(visitor, '/calendar', { name: 'Ben', email: 'ben@example.org', locale: 'de-DE' })
    const api = await openApi(service.url, 'ben@example.org')
    await api.prefer({ timezone: 'Europe/Berlin' })
    await api.create({ ...MEETING, bufferBefore: 30, bufferAfter: 60 })
    await openPage(page, `/calendar?view=day&date=${DAY}`)
    await chips(page).first().waitFor()
    await takeScreenshots(page, 'buffers-de-390')
    expect(await page.locator('.hours-buffer').count()).toBe(2)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    expect(await pageWidth(page)).toBeLessThanOrEqual(390)
    await openPage(page, `/calendar?view=year&date=${DAY}`)
    await page.locator('.year').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(visitor.browserErrors).toEqual([])
  })
})
