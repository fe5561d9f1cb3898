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
    await popup.getByText('No notifications').waitFor()
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
    await popup.getByRole('button', { name: 'Delete: Reached: Second' }).click()
    await popup.getByText('Reached: Second').waitFor({ state: 'hidden' })
    await popup.getByRole('button', { name: 'Delete all' }).click()
    await popup.getByText('No notifications').waitFor()
    await popup.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  })

  it('saves the preferences per kind and channel', async () => {
    const save = (form: string) =>
      page.getByRole('form', { name: form }).getByRole('button', { name: 'Save' })
    await page.getByText('You have no email account to send with').waitFor()
    const box = page.getByRole('checkbox', { name: 'Goal reached: in the console' })
    await box.uncheck()
    expect(
      await page.getByRole('checkbox', { name: 'Sign-in from a new device: in the console' }).isDisabled(),
    ).toBe(true)
    await page.getByLabel('Task due: by email').selectOption('digest')
    await page.getByRole('checkbox', { name: 'Task due: by webhook' }).check()
    await save('Notification types').click()
    await expectToast(page, 'Notification settings saved')
    await page.getByText('No webhook receives notifications.').waitFor()
    await page.getByLabel('Turn on quiet hours every day').check()
    await page.getByLabel('From', { exact: true }).fill('07:00')
    await save('Quiet hours').click()
    await page.getByText('Until must differ from the start.').waitFor()
    await page.getByLabel('From', { exact: true }).fill('23:30')
    await save('Quiet hours').click()
    await expectToast(page, 'Quiet hours saved')
    await page.getByLabel('Frequency').selectOption('weekly')
    await page.getByLabel('Day', { exact: true }).selectOption('friday')
    await save('Digest').click()
    await expectToast(page, 'Digest saved')
    await page.reload()
    await expect.poll(() => box.isChecked()).toBe(false)
    await expect.poll(() => page.getByLabel('Task due: by email').inputValue()).toBe('digest')
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toMatch(/^11:30\sPM$/)
    await expect.poll(() => page.getByLabel('Day', { exact: true }).inputValue()).toBe('friday')
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(visitor.browserErrors.filter((error) => !error.includes('status of 400'))).toEqual([])
  })
})
