import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const DEFAULT = ['Home', 'Mail', 'Calendar', 'Tasks', 'Contacts', 'Promises', 'Assistant', 'Settings', 'More']

withBrowser('main navigation', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  const entries = () => page.getByRole('navigation', { name: 'Main' }).locator('li:visible').allInnerTexts()
  const openMore = () => page.getByRole('button', { name: 'More', exact: true }).click()
  const arrange = async () => {
    await openMore()
    await page.getByRole('menuitem', { name: 'Arrange navigation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Arrange navigation' })
    await dialog.waitFor()
    return dialog
  }
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

  it('has the rarely used pages under More', async () => {
    await expect.poll(entries).toEqual(DEFAULT)
    await openMore()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Stream',
      'Insights',
      'Audit',
      'Arrange navigation',
    ])
    await page.getByRole('menuitem', { name: 'Insights' }).click()
    await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor()
    expect(await page.locator('.main-nav-more').getAttribute('data-current')).toBe('true')
  })

  it('is arranged by keyboard, and keeps the order after a reload and on the phone', async () => {
    const dialog = await arrange()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByRole('checkbox', { name: 'Stream' }).press('Space')
    await dialog.getByRole('checkbox', { name: 'Promises' }).press('Space')
    const up = dialog.getByRole('button', { name: 'Move up: Assistant' })
    await up.focus()
    for (let steps = 0; steps < 5; steps += 1) await page.keyboard.press('Enter')
    // The button is at the end of its way and keeps the focus.
    await expect.poll(() => up.getAttribute('aria-disabled')).toBe('true')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move up: Assistant')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const arranged = [
      'Assistant',
      'Home',
      'Mail',
      'Calendar',
      'Tasks',
      'Contacts',
      'Settings',
      'Stream',
      'More',
    ]
    await expect.poll(entries).toEqual(arranged)
    await page.reload()
    await expect.poll(entries).toEqual(arranged)
    await page.setViewportSize({ width: 360, height: 740 })
    await expect.poll(entries).toEqual(['Assistant', 'Home', 'Mail', 'Calendar', 'More'])
    expect(await pageWidth(page)).toBe(360)
    await arrange()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect.poll(entries).toEqual(DEFAULT)
    expect(visitor.browserErrors).toEqual([])
  })
})
