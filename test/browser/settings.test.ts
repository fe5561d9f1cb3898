import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasStripeFixtures, startStripe } from '../support/stripe.ts'
import { findAccessibilityIssues } from './faults.ts'
import { type Service, startPackagedService, startService } from './service.ts'
import {
  openBrowser,
  openPage,
  PASSWORD,
  pathOf,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const sidebar = (page: Page, name: string) => page.getByRole('navigation', { name, exact: true })
const searchFor = async (page: Page, query: string): Promise<string[]> => {
  await page.getByRole('searchbox').fill(query)
  return page.locator('.settings-entry .row-title').allInnerTexts()
}

/** The commands of a backup have a low priority, so a busy machine runs them late. */
const BACKUP_MS = 240_000

withBrowser('settings', () => {
  let service: Service
  let browser: Browser
  let owner: Visitor
  let member: Visitor

  beforeAll(async () => {
    service = await startPackagedService()
    browser = await openBrowser()
    owner = await visit(browser, service.url, {
      expected: [400, 401].map((status) => ({ status, path: /^\/api\/backups\/schedule$/ })),
    })
    await signUp(owner, '/settings', { name: 'Ana', email: 'ana@example.org', locale: 'en-GB' })
    member = await visit(browser, service.url, { locale: 'de-DE' })
    await signUp(member, '/settings', { name: 'Ben', email: 'ben@example.org', locale: 'de-DE' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('are grouped and show the owner the instance', async () => {
    const { page } = owner
    const groups = () => page.locator('.settings-groups h2').allInnerTexts()
    await page.getByRole('heading', { level: 2, name: 'Instance' }).waitFor()
    expect(await groups()).toEqual([
      'Account',
      'Mail',
      'Calendar',
      'Assistant',
      'Notifications',
      'Automation',
      'Instance',
    ])
    await page.getByRole('link', { name: /^Status/ }).click()
    await heading(page, 'Status').waitFor()
    const status = page.getByRole('region', { name: 'Server status' })
    await status.getByText('Healthy').waitFor()
    await status.getByText('SQLite').waitFor()
    await status.getByText(/MB$/).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Background jobs' }).last().click()
    await heading(page, 'Background jobs').waitFor()
  })

  it('hide the instance and its pages from other accounts', async () => {
    const { page } = member
    await openPage(page, '/settings')
    await page.getByRole('heading', { level: 2, name: 'Konto' }).waitFor()
    await page.getByRole('link', { name: /^Nutzung/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'Instanz' }).count()).toBe(0)
    expect(await searchFor(page, 'hintergrundjobs')).toEqual([])
    for (const path of ['instance', 'jobs', 'accounts', 'invitations']) {
      await openPage(page, `/settings/${path}`)
      await page.getByRole('main').getByRole('link', { name: 'Alle Einstellungen' }).last().waitFor()
      expect(
        await page
          .getByRole('region')
          .filter({ has: page.locator('.card-body') })
          .count(),
      ).toBe(0)
    }
    const links = await sidebar(page, 'Einstellungen').getByRole('link').allInnerTexts()
    expect(links).toContain('Sicherheit')
    expect(links).not.toContain('Hintergrundjobs')
    expect(links).not.toContain('Konten')
    await openPage(page, '/settings/data')
    await page.getByRole('region', { name: 'Konto löschen' }).waitFor()
    expect(await page.getByRole('region', { name: 'Beispieldaten' }).count()).toBe(0)
  })

  it('are found by the words of both languages', async () => {
    const { page } = owner
    await openPage(page, '/settings')
    await page.getByRole('heading', { level: 2, name: 'Instance' }).waitFor()
    expect(await searchFor(page, 'sprache')).toEqual(['Language and time'])
    expect(await searchFor(page, 'sign-in address')).toEqual(['Email address'])
    expect(await searchFor(page, 'failed jobs')).toContain('Background jobs')
    expect(await searchFor(page, 'unheard-of')).toEqual([])
    await page.getByText('No settings match “unheard-of”.').waitFor()
    await searchFor(page, '2fa')
    await page.keyboard.press('Enter')
    await heading(page, 'Security').waitFor()
    await openPage(member.page, '/settings')
    expect(await searchFor(member.page, 'language')).toEqual(['Sprache und Zeit'])
    expect(await searchFor(member.page, 'zweiter faktor')).toEqual(['Zwei-Faktor-Authentifizierung'])
  })

  it('are saved only after a change', async () => {
    const { page } = owner
    await openPage(page, '/settings/profile')
    const field = page.getByRole('textbox', { name: 'Your name' })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const isOff = () => save.getAttribute('aria-disabled')
    expect(await isOff()).toBe('true')
    await field.fill('Ana Ruiz')
    expect(await isOff()).toBe('false')
    await field.fill('Ana')
    expect(await isOff()).toBe('true')
    await field.fill('Ana Ruiz')
    await save.click()
    await page.locator('.toast', { hasText: 'Name saved' }).waitFor()
    await expect.poll(isOff).toBe('true')
    // The focus stays on the button.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Save')
    await openPage(page, '/settings/preferences')
    const hours = page.getByRole('form', { name: 'Working hours' })
    const saveHours = hours.getByRole('button', { name: 'Save', exact: true })
    expect(await saveHours.getAttribute('aria-disabled')).toBe('true')
    await hours.getByRole('button', { name: 'Add hours on Sunday' }).click()
    expect(await saveHours.getAttribute('aria-disabled')).toBe('false')
    await hours.getByRole('button', { name: /^Delete Sunday/ }).click()
    expect(await saveHours.getAttribute('aria-disabled')).toBe('true')
  })

  it('back up the instance, prove the backup, and schedule others', { timeout: 300_000 }, async () => {
    const { page } = owner
    await openPage(page, '/settings/backups')
    const proof = page.locator('#proof')
    await proof.getByText('Never', { exact: true }).waitFor()
    await page.getByText('No backups yet').waitFor()
    await proof.getByRole('button', { name: 'Back up now' }).click()
    await page.locator('#backups').getByText('Proven', { exact: true }).waitFor({ timeout: BACKUP_MS })
    await proof.getByText('This backup was restored into a scratch place and compared.').waitFor()

    const schedule = page.getByRole('form', { name: 'Scheduled backups' })
    await schedule.getByRole('combobox', { name: 'Scheduled backups' }).selectOption('On')
    await schedule.getByRole('combobox', { name: 'Frequency' }).selectOption('Weekly')
    await schedule.getByRole('combobox', { name: 'Day of the week' }).selectOption('Monday')
    const save = schedule.getByRole('button', { name: 'Save', exact: true })
    const folder = schedule.getByRole('textbox', { name: 'Folder' })
    const password = schedule.getByRole('textbox', { name: 'Your password' })
    expect(await password.count()).toBe(0)
    await folder.fill('/srv')
    await password.fill('wrong password')
    await save.click()
    await schedule.getByText('The password is incorrect.').waitFor()
    await password.fill(PASSWORD)
    await save.click()
    await schedule.getByText('add it to BACKUP_FOLDERS').waitFor()
    await folder.fill('')
    await schedule.getByRole('combobox', { name: 'Encryption' }).selectOption('With a passphrase')
    await schedule.getByRole('textbox', { name: 'Passphrase' }).fill('a long passphrase')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await save.click()
    await page.locator('.toast', { hasText: 'Schedule saved' }).waitFor()
    await password.waitFor({ state: 'detached' })
    await schedule.getByText('Encrypted. Leave empty to keep the passphrase.').waitFor()
    await proof.getByText(/^Next backup: /).waitFor()

    await page.getByRole('button', { name: /^Delete .*\.zip$/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No backups yet').waitFor()
  })

  it('switch the language of the console and its dates, and back', async () => {
    const { page } = owner
    const choose = async (label: string, query: string, save: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.keyboard.type(query)
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: save, exact: true }).first().click()
    }
    const sessionNotes = () => page.locator('#sessions .row-notes').first()
    await openPage(page, '/settings/preferences')
    await choose('Language', 'deutschland', 'Save')
    await heading(page, 'Allgemein').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    expect(await page.getByRole('combobox', { name: 'Sprache' }).inputValue()).toBe('Deutsch (Deutschland)')
    await sidebar(page, 'Einstellungen').getByRole('link', { name: 'Sicherheit' }).click()
    await sessionNotes()
      .getByText(/^Angemeldet am \d\d\.\d\d\.\d{4}$/)
      .waitFor()
    await openPage(page, '/settings/preferences')
    await choose('Sprache', 'united kingdom', 'Speichern')
    await heading(page, 'Preferences').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await sidebar(page, 'Settings').getByRole('link', { name: 'Security' }).click()
    await sessionNotes()
      .getByText(/^Signed in \d{1,2} \w+ \d{4}$/)
      .waitFor()
  })

  it('cause no browser errors', () => {
    expect([...owner.browserErrors, ...member.browserErrors]).toEqual([])
  })
})

describe.skipIf(!hasStripeFixtures)('settings where plans are sold', () => {
  withBrowser('billing', () => {
    it('shows the plan, invoices and details instead of the usage page', async () => {
      const stripe = await startStripe()
      stripe.addPlan('Household', 900)
      const service = await startService({
        STRIPE_SECRET_KEY: stripe.secretKey,
        STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
        STRIPE_BASE_URL: stripe.url,
      })
      const browser = await openBrowser()
      try {
        const visitor = await visit(browser, service.url)
        const { page } = visitor
        await signUp(visitor, '/settings/usage', { name: 'Ana', email: 'ana@example.org', locale: 'en-GB' })
        await expect.poll(() => pathOf(page)).toBe('/settings/billing')
        await heading(page, 'Billing').waitFor()
        const links = await sidebar(page, 'Settings').getByRole('link').allInnerTexts()
        expect(links).toContain('Billing')
        expect(links).not.toContain('Usage')
        for (const card of ['plan', 'usage', 'budgets', 'invoices']) await page.locator(`#${card}`).waitFor()
        const details = page.locator('#billing-details')
        await details.locator('[name="vatId"]').fill('DE 123 456 789')
        await details.locator('[name="address.line1"]').fill('Hauptstraße 1')
        await details.locator('[name="address.country"]').fill('de')
        await details.locator('button[type="submit"]').click()
        await page.locator('.toast').first().waitFor()
        await page.reload()
        await expect.poll(() => details.locator('[name="vatId"]').inputValue()).toBe('DE123456789')
        await expect.poll(() => details.locator('[name="address.country"]').inputValue()).toBe('DE')
      } finally {
        await browser.close()
        await service.stop()
        await stripe.close()
      }
    })
  })
})
