import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atRest, findFaults, ON_TOP, OPEN_LIST } from './faults.ts'
import { type Service, startService } from './service.ts'
import { browserPath, openBrowser, PASSWORD, register, type Visitor, visit, whySkipped } from './visitor.ts'

const SECTIONS = [
  'profile',
  'preferences',
  'notifications',
  'mail-accounts',
  'security',
  'tokens',
  'feed-tokens',
  'webhooks',
  'jobs',
  'invitations',
  'billing',
  'data',
]
const PAGES = ['/', '/mail', '/calendar', '/settings', ...SECTIONS.map((section) => `/settings/${section}`)]

describe.skipIf(!browserPath)(`the console to those who hear, magnify or type it${whySkipped}`, () => {
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
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await atRest(page)
  }

  it('can register, and hears what was wrong', async () => {
    await page.goto('/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Your name is required.').waitFor()
    expect(await findFaults(page)).toEqual([])
    await register(page, { name: 'Ana', email: 'ana@example.org' })
  })

  for (const scheme of ['light', 'dark'] as const)
    it(`finds nothing in the way on any page in ${scheme} colours`, async () => {
      await page.emulateMedia({ colorScheme: scheme })
      for (const path of PAGES) {
        await open(path)
        expect({ path, faults: await findFaults(page) }).toEqual({ path, faults: [] })
      }
    })

  it('finds nothing in the way in dialogs, menus and lists', async () => {
    await open('/settings/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').waitFor()
    await atRest(page)
    expect(await findFaults(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menu').waitFor()
    await atRest(page)
    expect(await findFaults(page, ON_TOP)).toEqual([])
    await open('/settings/preferences')
    await page.getByRole('combobox', { name: 'Time zone' }).click()
    await page.getByRole('option').first().waitFor()
    await atRest(page)
    expect(await findFaults(page, OPEN_LIST)).toEqual([])
  })

  it('finds nothing in the way when something is refused', async () => {
    await open('/settings/security')
    await page.getByRole('button', { name: 'Set up two-step sign-in' }).click()
    await page.getByRole('textbox', { name: 'Your password' }).fill('wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The password is not right.').waitFor()
    await atRest(page)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('dialog', { name: 'Connect your app' }).waitFor()
    await atRest(page)
    expect(await findFaults(page)).toEqual([])
  })

  it('has one heading, landmarks with names, and says where one is, on every page', async () => {
    for (const path of PAGES) {
      await open(path)
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      expect(await page.getByRole('main').count()).toBe(1)
      expect(await page.getByRole('banner').count()).toBe(1)
      const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]')
      const names = { '/': 'Home', '/mail': 'Mail', '/calendar': 'Calendar' } as Record<string, string>
      expect(await current.innerText()).toBe(names[path] ?? 'Settings')
      expect(await page.title()).toMatch(/ · Factotum$/)
    }
    expect(visitor.troubles).toEqual([])
  })
})
