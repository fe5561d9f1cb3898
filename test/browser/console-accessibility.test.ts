import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleOf } from '../support/scale.ts'
import {
  findAccessibilityIssues,
  findDarkModeIssues,
  ON_TOP,
  OPEN_LIST,
  waitForAnimations,
} from './faults.ts'
import { type Service, startService } from './service.ts'
import {
  navigate,
  openBrowser,
  PASSWORD,
  pageWidth,
  register,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const SECTIONS = [
  'profile',
  'preferences',
  'notifications',
  'mail-accounts',
  'calendar-accounts',
  'ai',
  'bookings',
  'security',
  'sharing',
  'apps',
  'tokens',
  'feed-tokens',
  'webhooks',
  'instance',
  'jobs',
  'accounts',
  'oauth-clients',
  'usage',
  'data',
]
const NAVIGATION_LABELS: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/mail': 'Mail',
  '/calendar': 'Calendar',
}
const PAGES = [
  ...Object.keys(NAVIGATION_LABELS),
  '/settings',
  ...SECTIONS.map((section) => `/settings/${section}`),
]
const [WIDE, NARROW] = [1280, 360]

withBrowser('console accessibility', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, { expected: [{ status: 401, path: /setup$/ }] })
    page = visitor.page
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (path: string): Promise<void> => {
    await navigate(page, path)
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }

  it('registration shows errors accessibly', async () => {
    await page.goto('/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Your name is required.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await page.setViewportSize({ width: NARROW, height: 900 })
    await expect.poll(() => pageWidth(page)).toBe(NARROW)
    await page.setViewportSize({ width: WIDE, height: 900 })
    await register(page, { name: 'Ana', email: 'ana@example.org' })
  })

  it.each(sampleOf(PAGES, 6))('%s has no issues in light and dark mode', async (path) => {
    await open(path)
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.getByRole('banner').count()).toBe(1)
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]')
    await expect.poll(() => current.innerText()).toBe(NAVIGATION_LABELS[path] ?? 'Settings')
    await expect.poll(() => page.title()).toMatch(/ · Factotum$/)
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('dialogs, menus and lists have no issues', async () => {
    await open('/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menu').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await open('/settings/preferences')
    await page.getByRole('combobox', { name: 'Time zone' }).click()
    await page.getByRole('option').first().waitFor()
    expect(await findAccessibilityIssues(page, OPEN_LIST)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })

  it('toasts cover neither tabs, dialogs nor the palette', async () => {
    await open('/settings')
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      if (!box) throw new Error(`${selector} is not visible`)
      return box
    }
    const overlaps = async (one: string, other: string): Promise<boolean> => {
      const [a, b] = [await boxOf(one), await boxOf(other)]
      return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }
    for (const width of [WIDE, 900, NARROW]) {
      await page.setViewportSize({ width, height: 740 })
      await page.keyboard.press('q')
      await page.getByRole('dialog', { name: 'Quick add' }).waitFor()
      await page.keyboard.type('Buy a rather long list of vegetables for the soup')
      await page.keyboard.press('Enter')
      await page.locator('.toast').first().waitFor()
      await page.getByRole('dialog', { name: 'Quick add' }).waitFor({ state: 'detached' })
      expect(await overlaps('.toast', '.main-nav')).toBe(false)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
      await waitForAnimations(page)
      await expect.poll(() => overlaps('.toast', '.palette')).toBe(false)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'detached' })
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await waitForAnimations(page)
      await expect.poll(() => overlaps('.toast', '.dialog')).toBe(false)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' })
    }
    await page.setViewportSize({ width: WIDE, height: 900 })
  })

  it('prints the page without navigation and toasts, over the whole width', async () => {
    await open('/settings')
    await page.emulateMedia({ media: 'print' })
    for (const selector of ['.side', '.main-nav', '.toasts', '.skip'])
      expect(await page.locator(selector).isVisible()).toBe(false)
    expect((await page.locator('#main').boundingBox())?.width).toBe(WIDE)
    await page.emulateMedia({ media: null })
  })

  it('error messages have no issues', async () => {
    await open('/settings/security')
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
    await page.getByRole('textbox', { name: 'Your password' }).fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The password is incorrect.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('dialog', { name: 'Connect your app' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(visitor.browserErrors).toEqual([])
  })
})
