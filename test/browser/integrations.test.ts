import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
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

/** The headings of the sections in German, by path. */
const GERMAN_SECTIONS = [
  ['mail-accounts', 'E-Mail-Konten'],
  ['calendar-accounts', 'Kalenderkonten'],
  ['ai', 'KI'],
  ['bookings', 'Buchungen'],
  ['tokens', 'Zugriffstoken'],
  ['feed-tokens', 'Private Links'],
  ['webhooks', 'Webhooks'],
] as const

const CATALOGUES = [
  'ai-settings',
  'billing',
  'booking-settings',
  'oauth-clients',
  'remote-accounts',
  'tokens',
  'webhooks',
]

type Texts = Readonly<Record<string, unknown>>

const readCatalogue = (language: string, name: string): Promise<Texts> =>
  import(`../../web/src/locales/${language}/${name}.ts`)

const listStrings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : []
}

/** English texts of at least two words that do not occur in the German catalogues. */
const listEnglishTexts = async (): Promise<string[]> => {
  const read = async (language: string) =>
    (await Promise.all(CATALOGUES.map((name) => readCatalogue(language, name)))).flatMap((texts) =>
      Object.values(texts).flatMap(listStrings),
    )
  const german = new Set(await read('de'))
  return (await read('en')).filter((text) => /\s/.test(text) && !text.includes('<') && !german.has(text))
}

/** The visible texts and the accessible names of the section. The navigation has its own test. */
const readTexts = (page: Page): Promise<string> =>
  page.evaluate(
    "document.querySelector('main .page').innerText + [...document.querySelectorAll('main .page [aria-label]')].map((element) => element.getAttribute('aria-label')).join('\\n')",
  )

const takeScreenshots = async (page: Page, name: string): Promise<void> => {
  const directory = process.env.TEST_PICTURES
  if (directory === undefined) return
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${directory}/${name}-${width}-${colorScheme}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

withBrowser('integration settings', () => {
  let service: Service
  let browser: Browser
  let english: Visitor
  let german: Visitor

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    english = await visit(browser, service.url)
    await signUp(english, '/settings/feed-tokens', {
      name: 'Ana',
      email: 'ana@example.org',
      locale: 'en-GB',
    })
    german = await visit(browser, service.url, { locale: 'de-DE' })
    await signUp(german, '/settings/tokens', { name: 'Ben', email: 'ben@example.org', locale: 'de-DE' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const addData = async (email: string): Promise<void> => {
    const send = async (path: string, data: object, token?: string) => {
      const answer = await fetch(`${service.url}/api${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(data),
      })
      expect(answer.ok).toBe(true)
      return answer
    }
    const signedIn = await send('/auth/login', { email, password: PASSWORD })
    const { token } = (await signedIn.json()) as { token: string }
    const scopes = ['mail:write', 'calendar:read']
    await send('/settings/tokens', { name: 'n8n', password: PASSWORD, scopes }, token)
    await send('/settings/feed-tokens', { name: 'Telefon', purpose: 'calendar' }, token)
    const events = ['task.created', 'email.received']
    await send('/settings/webhooks', { url: 'https://example.org/hook', name: 'n8n', events }, token)
  }

  it('create and revoke a private link in popovers that Escape closes', async () => {
    const { page } = english
    const opener = page.getByRole('button', { name: 'New private link' })
    const popover = page.getByRole('dialog', { name: 'New private link' })
    await opener.click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await popover.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New private link')
    await opener.click()
    await popover.getByLabel('Name').fill('Phone')
    await popover.getByRole('button', { name: 'Create link' }).click()
    const secret = page.getByRole('dialog', { name: 'Your private link' })
    const link = await secret.locator('code').innerText()
    expect(link).toContain(`${service.url}/api/calendar/feed.ics?token=`)
    expect((await fetch(link)).status).toBe(200)
    await secret.getByRole('button', { name: 'Copy' }).click()
    await secret.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke Phone' }).click()
    await page
      .getByRole('dialog', { name: 'Revoke “Phone”?' })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByText('No private links').waitFor()
    expect((await fetch(link)).status).toBe(401)
  })

  it('save a form only after a change, and undo a switch', async () => {
    const { page } = english
    await addData('ana@example.org')
    await openPage(page, '/settings/webhooks')
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for n8n' }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose('Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
    const save = dialog.getByRole('button', { name: 'Save' })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Name').fill('Automation')
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('false')
    await dialog.getByLabel('Name').fill('n8n')
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('checkbox', { name: 'Task due' }).check()
    await save.click()
    await page.locator('.toast', { hasText: 'Webhook saved' }).waitFor()
    await choose('Turn off')
    await page.getByText('Off', { exact: true }).waitFor()
    await page
      .locator('.toast', { hasText: '“n8n” turned off' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('On', { exact: true }).waitFor()
  })

  it('explain app passwords if this instance has no OAuth client', async () => {
    const { page } = english
    await openPage(page, '/settings/mail-accounts')
    const dialog = page.getByRole('dialog')
    const lookUp = async (address: string) => {
      await page.getByRole('button', { name: 'Add account' }).first().click()
      await dialog.getByLabel('Email address').fill(address)
      await dialog.getByRole('button', { name: 'Continue' }).click()
    }
    await lookUp('ana@gmail.com')
    await dialog.getByText('Do this at Gmail first:').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await takeScreenshots(page, 'app-password')
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByLabel('Email address').fill('ana@outlook.com')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText(/^Microsoft no longer accepts passwords from email apps\./).waitFor()
    expect(await dialog.getByRole('button', { name: /^Sign in with/ }).count()).toBe(0)
  })

  it('are German for an account with a German locale', async () => {
    const { page } = german
    await addData('ben@example.org')
    const texts = await listEnglishTexts()
    expect(texts.length).toBeGreaterThan(100)
    for (const [path, title] of GERMAN_SECTIONS) {
      await openPage(page, `/settings/${path}`)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      const visibleText = await readTexts(page)
      expect(texts.filter((text) => visibleText.includes(text))).toEqual([])
      await page.setViewportSize({ width: 390, height: 900 })
      await expect.poll(() => pageWidth(page)).toBe(390)
      await page.setViewportSize({ width: 1280, height: 900 })
      await takeScreenshots(page, `de-${path}`)
    }
    expect(german.browserErrors).toEqual([])
    expect(english.browserErrors).toEqual([])
  })
})
