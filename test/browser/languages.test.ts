import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, PASSWORD, pageWidth, type Visitor, visit, withBrowser } from './visitor.ts'

/** English words that the German shell must not contain. */
const ENGLISH =
  /\b(the|and|your|with|search|settings|sign (in|out|up)|account|password|save|tasks?|calendar|undo)\b/i

withBrowser('languages of the console', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url, {
      locale: 'de-DE',
      expected: [
        { status: 400, path: /register$/ },
        { status: 401, path: /login$/ },
        { status: 404, path: /gibt-es-nicht$/ },
      ],
    })
    page = visitor.page
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  const textOf = (selector: string): Promise<string> => page.locator(selector).innerText()

  it('follows the browser, and can be changed before sign-in', async () => {
    await page.goto('/')
    await heading('Willkommen').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByRole('button', { name: 'English' }).click()
    await heading('Welcome').waitFor()
    expect(await page.getByRole('button', { name: 'English', pressed: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await heading('Willkommen').waitFor()
  })

  it('describes errors of fields and of the API in German', async () => {
    await page.getByRole('button', { name: 'Konto erstellen' }).click()
    await page.getByText('Bitte „Dein Name“ ausfüllen.').waitFor()
    await page.getByLabel('Dein Name').fill('Ana')
    await page.getByLabel('E-Mail').fill('ana@example.org')
    await page.getByLabel('Passwort', { exact: true }).fill('password')
    await page.getByRole('button', { name: 'Konto erstellen' }).click()
    await page.getByText('Dieses Passwort ist zu häufig. Wähle ein anderes.').waitFor()
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Konto erstellen' }).click()
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).waitFor()
  })

  it('translates the shell, the palette and the shortcuts', async () => {
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByText('Aufgaben').click()
    expect(await textOf('.side')).not.toMatch(ENGLISH)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Befehlspalette' })
    await palette.getByRole('group', { name: 'Gehe zu' }).waitFor()
    expect(await palette.innerText()).not.toMatch(ENGLISH)
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Tastenkürzel' })
    await help.waitFor()
    expect(await help.innerText()).not.toMatch(ENGLISH)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.goto('/gibt-es-nicht')
    await heading('Seite nicht gefunden').waitFor()
  })

  it('shows five named tabs in German on a phone, and the other pages under More', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const tabs = page.getByRole('navigation', { name: 'Hauptnavigation' }).locator('li:visible')
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Start', 'E-Mail', 'Kalender', 'Aufgaben', 'Mehr'])
    expect(await pageWidth(page)).toBe(360)
    await page.getByRole('button', { name: 'Mehr' }).click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Kontakte',
      'Zusagen',
      'Assistent',
      'Einstellungen',
      'Stream',
      'Einblicke',
      'Audit',
      'Navigation anordnen',
      'Abmelden',
    ])
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('saves the language chosen in the account menu', async () => {
    await page.getByRole('button', { name: /^Konto:/ }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await heading('Page not found').waitFor()
    const answer = await visitor.context.request.get('/api/settings/preferences', {
      headers: { authorization: `Bearer ${await signIn()}` },
    })
    expect(((await answer.json()) as { locale: string }).locale).toBe('en-DE')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).fill('deutsch')
    await page.getByRole('option', { name: 'Change language to Deutsch', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading('Seite nicht gefunden').waitFor()
  })

  const signIn = async (): Promise<string> => {
    const answer = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
    })
    return ((await answer.json()) as { token: string }).token
  }

  it('rejects a wrong password in German after sign-out', async () => {
    await page.getByRole('button', { name: /^Konto:/ }).click()
    await page.getByRole('menuitem', { name: 'Abmelden' }).click()
    await heading('Anmelden').waitFor()
    await page.getByLabel('E-Mail').fill('ana@example.org')
    await page.getByLabel('Passwort', { exact: true }).fill('falsch')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByText('E-Mail oder Passwort ist falsch.').waitFor()
    expect(await textOf('main')).not.toMatch(ENGLISH)
    expect(visitor.browserErrors).toEqual([])
  })
})
