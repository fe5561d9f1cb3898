import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, PASSWORD, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const FORM = /^[a-z]{4}(-[a-z]{4}){6}$/

const LANGUAGES = [
  {
    locale: 'en-GB',
    add: 'New app password',
    name: 'Name',
    invitations: 'Invitations to guests of events',
    confirm: 'Your password',
    create: 'Create app password',
    shown: 'Your app password',
    copy: 'Copy',
    done: 'Done',
    sends: 'Sends invitations without asking.',
    actions: 'Actions for Pixel 9',
    askFirst: 'Ask before sending invitations',
    asks: 'Invitations wait for your confirmation.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke “Pixel 9”?',
    none: 'No app passwords',
    local: /^Only this machine can open this instance/,
    apps: ['iPhone, iPad and Mac', 'Android with DAVx⁵', 'Thunderbird', 'Evolution and GNOME'],
  },
  {
    locale: 'de-DE',
    add: 'Neues App-Passwort',
    name: 'Name',
    invitations: 'Einladungen an Gäste von Terminen',
    confirm: 'Dein Passwort',
    create: 'App-Passwort erstellen',
    shown: 'Dein App-Passwort',
    copy: 'Kopieren',
    done: 'Fertig',
    sends: 'Sendet Einladungen ohne Rückfrage.',
    actions: 'Aktionen für Pixel 9',
    askFirst: 'Vor dem Senden von Einladungen fragen',
    asks: 'Einladungen warten auf deine Bestätigung.',
    revoke: 'Widerrufen',
    revokeTitle: '„Pixel 9“ widerrufen?',
    none: 'Keine App-Passwörter',
    local: /^Nur dieser Rechner kann diese Instanz öffnen/,
    apps: ['iPhone, iPad und Mac', 'Android mit DAVx⁵', 'Thunderbird', 'Evolution und GNOME'],
  },
] as const

withBrowser('apps of phones and computers', () => {
  let service: Service
  let browser: Browser
  const visitors: Visitor[] = []

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it.each(LANGUAGES)(
    'get a password that is shown once, and lose it when it is revoked: $locale',
    async (t) => {
      const visitor = await visit(browser, service.url, { locale: t.locale, width: 390 })
      visitors.push(visitor)
      const { page } = visitor
      await signUp(visitor, '/settings/apps', {
        name: 'Ana',
        email: `${t.locale}@example.org`,
        locale: t.locale,
      })
      await page.getByText(t.local).waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])

      await page.getByRole('button', { name: t.add }).first().click()
      const dialog = page.getByRole('dialog', { name: t.add })
      await dialog.getByLabel(t.name).fill('Pixel 9')
      await dialog.getByLabel(t.invitations).selectOption('yes')
      await dialog.getByText(t.sends).waitFor()
      await dialog.getByRole('textbox', { name: t.confirm }).fill(PASSWORD)
      expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
      await dialog.getByRole('button', { name: t.create }).click()
      const shown = page.getByRole('dialog', { name: t.shown })
      const [server, username, password] = await shown.locator('code').allInnerTexts()
      expect([server, username]).toEqual([`${service.url}/dav/`, `${t.locale}@example.org`])
      expect(password).toMatch(FORM)
      expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
      await takeScreenshots(page, `app-password-${t.locale}`)
      await shown.getByRole('button', { name: t.copy }).last().click()
      await shown.getByRole('button', { name: t.done }).click()

      await page.getByText(t.sends).waitFor()
      await page.getByRole('button', { name: t.actions }).click()
      await page.getByRole('menuitem', { name: t.askFirst }).click()
      await page.getByText(t.asks).waitFor()
      for (const app of t.apps) {
        const steps = page.locator('details', { hasText: app })
        await steps.locator('summary').click()
        await steps.getByRole('listitem').first().waitFor()
      }
      expect(await findAccessibilityIssues(page)).toEqual([])
      await takeScreenshots(page, `apps-${t.locale}`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await page.getByRole('button', { name: t.actions }).click()
      await page.getByRole('menuitem', { name: t.revoke }).click()
      const confirm = page.getByRole('alertdialog', { name: t.revokeTitle })
      await confirm.getByRole('button', { name: t.revoke }).click()
      await page.getByText(t.none).waitFor()
    },
  )

  it('cause no browser errors', () => {
    expect(visitors.flatMap(({ browserErrors }) => browserErrors)).toEqual([])
  })
})
