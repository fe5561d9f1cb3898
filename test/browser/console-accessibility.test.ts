import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFaults, findFaultsInDark, ON_TOP, OPEN_LIST } from './faults.ts'
import { type Service, startService } from './service.ts'
import {
  openBrowser,
  PASSWORD,
  register,
  type Visitor,
  visit,
  walk,
  widthOf,
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
  'tokens',
  'feed-tokens',
  'webhooks',
  'jobs',
  'invitations',
  'billing',
  'data',
]
const ROOMS: Readonly<Record<string, string>> = { '/': 'Home', '/mail': 'Mail', '/calendar': 'Calendar' }
const PAGES = [...Object.keys(ROOMS), '/settings', ...SECTIONS.map((section) => `/settings/${section}`)]
const [WIDE, NARROW] = [1280, 360]

withBrowser('the console to those who hear, magnify or type it', () => {
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
    await walk(page, path)
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }
  const fitsWhenNarrow = async (): Promise<void> => {
    await page.setViewportSize({ width: NARROW, height: 900 })
    await expect.poll(() => widthOf(page)).toBe(NARROW)
    await page.setViewportSize({ width: WIDE, height: 900 })
  }

  it('can register, and hears what was wrong', async () => {
    await page.goto('/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Your name is required.').waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await findFaultsInDark(page)).toEqual([])
    await fitsWhenNarrow()
    await register(page, { name: 'Ana', email: 'ana@example.org' })
  })

  it.each(PAGES)(
    'finds nothing in the way at %s, in light and dark colours, wide and narrow',
    async (path) => {
      await open(path)
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1)
      expect(await page.getByRole('main').count()).toBe(1)
      expect(await page.getByRole('banner').count()).toBe(1)
      const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]')
      await expect.poll(() => current.innerText()).toBe(ROOMS[path] ?? 'Settings')
      await expect.poll(() => page.title()).toMatch(/ · Factotum$/)
      expect(await findFaults(page)).toEqual([])
      expect(await findFaultsInDark(page)).toEqual([])
      await fitsWhenNarrow()
    },
  )

  it('finds nothing in the way in dialogs, menus and lists', async () => {
    await open('/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await findFaults(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menu').waitFor()
    expect(await findFaults(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await open('/settings/preferences')
    await page.getByRole('combobox', { name: 'Time zone' }).click()
    await page.getByRole('option').first().waitFor()
    expect(await findFaults(page, OPEN_LIST)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  })

  it('finds nothing in the way when something is refused', async () => {
    await open('/settings/security')
    await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
    await page.getByRole('textbox', { name: 'Your password' }).fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The password is not right.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('dialog', { name: 'Connect your app' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(visitor.troubles).toEqual([])
  })
})
