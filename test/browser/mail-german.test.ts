import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { expectToast, openMailbox } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, pageWidth, TIMEOUT_MS, withBrowser } from './visitor.ts'

/** All English texts without parameters. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** Words that are the same in both languages. */
const SAME = new Set([
  '',
  'Cc',
  'Bcc',
  'Cc, Bcc',
  'Text',
  'Name',
  'Newsletter',
  'Spam',
  'ana@example.org',
  'Normal',
])

const readEnglishTexts = async (): Promise<ReadonlySet<string>> => {
  const texts: string[] = []
  // The path is not constant, so that the type check of the server does not include the console.
  for (const name of ['mail', 'mail-compose', 'mail-rules', 'subscriptions'])
    texts.push(...textsOf({ ...(await import(`../../web/src/locales/en/${name}.ts`)) }))
  return new Set(
    texts.map((text) => text.trim()).filter((text) => !SAME.has(text) && !/^\S+:\S+$/.test(text)),
  )
}

/** English texts in the visible text, labels, titles and placeholders of the page. */
const findEnglish = async (page: Page): Promise<string[]> => {
  const visibleTexts = (await page.evaluate(`(() => {
    const texts = []
    const roots = document.querySelectorAll('main, [role="dialog"], [role="menu"], .toast')
    for (const root of roots) {
      for (const element of [root, ...root.querySelectorAll('*')])
        for (const name of ['aria-label', 'title', 'placeholder'])
          if (element.hasAttribute(name)) texts.push(element.getAttribute(name))
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.push(walker.currentNode.textContent)
    }
    return texts
  })()`)) as string[]
  const known = await readEnglishTexts()
  return [...new Set(visibleTexts.map((text) => text.trim()).filter((text) => known.has(text)))]
}

const LIST_MAIL = [
  'From: The Gazette <news@gazette.example>',
  'To: ana@example.org',
  'Subject: Issue 1',
  'List-ID: The Gazette <gazette.example>',
  'List-Unsubscribe: <mailto:leave@gazette.example>',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Guten Morgen</p>',
]

withBrowser('console mail in German', () => {
  let service: Service
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    const context = await browser.newContext({
      baseURL: service.url,
      locale: 'de-DE',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(TIMEOUT_MS)
    page = await context.newPage()
    const made = await context.request.post('/api/auth/register', {
      headers: { 'x-session': 'cookie' },
      data: {
        name: 'Ana',
        email: 'ana@example.org',
        password: PASSWORD,
        locale: 'de-DE',
        timezone: 'Asia/Tokyo',
      },
    })
    const { user } = (await made.json()) as { user: { id: number } }
    await page.goto('/api/health')
    await page.evaluate("localStorage.setItem('factotum.signed-in', 'yes')")
    await page.evaluate(`localStorage.setItem('factotum.zone-kept.${user.id}', 'Europe/Berlin')`)
    const mailbox = openMailbox(service)
    await mailbox.put({
      from: 'Ines Falk <ines@falk.example>',
      to: ['Ana <ana@example.org>', 'Tom <tom@example.org>'],
      subject: 'Pläne',
      text: 'Kannst du mir die Pläne schicken? Es ist dringend.',
      date: '2026-03-02T20:30:00Z',
      tags: ['haus'],
    })
    await mailbox.raw(LIST_MAIL)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (subject: string) => {
    await openPage(page, '/mail')
    await page
      .getByRole('list', { name: 'E-Mails' })
      .getByRole('listitem')
      .filter({ hasText: subject })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { level: 2, name: subject, exact: true }).waitFor()
  }

  it('explains invalid search operators', async () => {
    await page.goto(`/mail?q=${encodeURIComponent('is:neu in:ablage after:irgendwann')}`)
    const hints = page.locator('.mail-hints')
    await hints.getByText('is: kennt „neu“ nicht.').waitFor()
    await hints.getByText('Den Ordner „ablage“ gibt es nicht.').waitFor()
    await hints.getByText('„irgendwann“ ist kein Datum.').waitFor()
    expect(await findEnglish(page)).toEqual([])
  })

  it('shows the list and an email without English texts', async () => {
    await openPage(page, '/mail')
    await page.getByRole('link', { name: 'Posteingang , 2 ungelesen' }).waitFor()
    expect(await findEnglish(page)).toEqual([])
    await open('Pläne')
    await page.getByRole('button', { name: 'Über diese E-Mail' }).click()
    await page.getByRole('heading', { name: 'Aufgaben' }).waitFor()
    expect(await findEnglish(page)).toEqual([])
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Weitere Aktionen für die E-Mail von Ines Falk' }).click()
    await page.getByRole('menuitem', { name: 'Regel aus dieser E-Mail erstellen' }).waitFor()
    expect(await findEnglish(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  it('quotes the date in the time zone and the language of the account', async () => {
    await page.getByRole('button', { name: 'Allen antworten' }).click()
    const form = page.getByRole('form', { name: 'Antwort an Ines Falk' })
    await expect
      .poll(() => form.getByRole('textbox', { name: 'Text' }).innerText())
      .toContain('Am 03.03.2026, 05:30 schrieb Ines Falk:\n\nKannst du mir')
    expect(await findEnglish(page)).toEqual([])
    // Escape closes the composer like a dialog and keeps the draft.
    await form.getByRole('textbox', { name: 'Text' }).press('End')
    await page.keyboard.type('Ja.')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Entwürfe , 1 offen' }).waitFor()
  })

  it('reports actions in German', async () => {
    await open('Pläne')
    await page.keyboard.press('e')
    await expectToast(page, '„Pläne“ archiviert')
    await page.keyboard.press('z')
    await expectToast(page, '„Pläne“ wiederhergestellt')
  })

  it('shows rules and subscriptions without English texts', async () => {
    await openPage(page, '/mail/rules')
    await page.getByRole('heading', { level: 1, name: 'Regeln' }).waitFor()
    await page.getByText('Noch keine Regeln').waitFor()
    await page.getByRole('button', { name: 'Neue Regel' }).click()
    await page.getByLabel('Suchanfrage').waitFor()
    expect(await findEnglish(page)).toEqual([])
    await page.keyboard.press('Escape')
    await openPage(page, '/mail/lists')
    await page.getByRole('heading', { level: 1, name: 'Abonnements' }).waitFor()
    await page.getByRole('button', { name: 'The Gazette abbestellen' }).click()
    await page.getByText('Sendet eine E-Mail zum Abbestellen an leave@gazette.example.').waitFor()
    expect(await findEnglish(page)).toEqual([])
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('fits a phone screen', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    const parts = {
      '/mail': '.mail-row',
      '/mail/inbox/1': '.message',
      '/mail/inbox/new': '.composer',
      '/mail/rules': '.card',
      '/mail/lists': '.card',
    }
    for (const [path, part] of Object.entries(parts)) {
      await openPage(page, path)
      await page.locator(part).first().waitFor()
      expect(await pageWidth(page)).toBeLessThanOrEqual(390)
    }
  })
})
