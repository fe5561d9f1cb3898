import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const expectToast = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor()

withBrowser('console notifications', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  const reach = (title: string) =>
    fetch(`${service.url}/api/stream/milestones`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, target: 1, current: 2 }),
    })
  const bell = (unread: string) =>
    page.getByRole('button', {
      name: unread === 'none' ? 'Notifications' : `Notifications, ${unread} new`,
      exact: true,
    })
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/tasks')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('arrive live, and are opened by keyboard and marked as read', async () => {
    await page.locator('.live-sign[data-state="live"]').waitFor()
    await bell('none').focus()
    await page.keyboard.press('Enter')
    const popup = page.getByRole('dialog', { name: 'Notifications' })
    await popup.getByText('Nothing to tell').waitFor()
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'hidden' })
    await reach('Hundred <b>followers</b>')
    await bell('1').waitFor()
    await reach('Second')
    await bell('2').click()
    const row = popup.getByRole('listitem').filter({ hasText: 'Reached: Hundred <b>followers</b>' })
    await row.waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await row.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Stream' }).waitFor()
    await bell('1').click()
    await popup.getByRole('button', { name: 'Mark all as read' }).click()
    await bell('none').waitFor()
    await popup.getByRole('button', { name: 'Remove: Reached: Second' }).click()
    await popup.getByText('Reached: Second').waitFor({ state: 'hidden' })
    await popup.getByRole('button', { name: 'Clear all' }).click()
    await popup.getByText('Nothing to tell').waitFor()
    await popup.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  })

  it('saves the preferences per kind and channel', async () => {
    await page.getByText('You have no mail account to send with').waitFor()
    const box = page.getByRole('checkbox', { name: 'A milestone is reached: in the console' })
    await box.uncheck()
    expect(
      await page.getByRole('checkbox', { name: 'A sign-in from somewhere new: in the console' }).isDisabled(),
    ).toBe(true)
    await page.getByLabel('A task is due: by e-mail').selectOption('digest')
    await page.getByRole('checkbox', { name: 'A task is due: by webhook' }).check()
    await page.getByRole('button', { name: 'Save notification types' }).click()
    await expectToast(page, 'Notification settings saved.')
    await page.getByText('None of your webhooks is told of notifications.').waitFor()
    await page.getByLabel('Keep quiet every day').check()
    await page.getByLabel('From', { exact: true }).fill('07:00')
    await page.getByRole('button', { name: 'Save quiet hours' }).click()
    await page.getByText('Until must differ from the start.').waitFor()
    await page.getByLabel('From', { exact: true }).fill('23:30')
    await page.getByRole('button', { name: 'Save quiet hours' }).click()
    await expectToast(page, 'Your quiet hours are saved.')
    await page.getByLabel('How often').selectOption('weekly')
    await page.getByLabel('On', { exact: true }).selectOption('friday')
    await page.getByRole('button', { name: 'Save digest' }).click()
    await expectToast(page, 'Your digest is saved.')
    await page.reload()
    await expect.poll(() => box.isChecked()).toBe(false)
    await expect.poll(() => page.getByLabel('A task is due: by e-mail').inputValue()).toBe('digest')
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('23:30')
    await expect.poll(() => page.getByLabel('On', { exact: true }).inputValue()).toBe('friday')
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(visitor.browserErrors.filter((error) => !error.includes('status of 400'))).toEqual([])
  })
})
