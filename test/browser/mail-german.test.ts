import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectToast, openMailbox } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, signUp, visit, withBrowser } from './visitor.ts'

withBrowser('console mail in German', () => {
  let service: Service
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    // The time zone of the account. The browser is in Berlin.
    service = await startService({ TZ_DEFAULT: 'Asia/Tokyo' })
    browser = await openBrowser()
    const visitor = await visit(browser, service.url, { locale: 'de-DE' })
    page = visitor.page
    await signUp(visitor, '/tasks', { name: 'Ana', email: 'ana@example.org', locale: 'de-DE' })
    const mailbox = openMailbox(service)
    await mailbox.put({
      from: 'Ines Falk <ines@falk.example>',
      to: ['Ana <ana@example.org>', 'Tom <tom@example.org>'],
      subject: 'Pläne',
      text: 'Kannst du mir die Pläne schicken? Es ist dringend.',
      date: '2026-03-02T20:30:00Z',
      tags: ['haus'],
    })
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
    await openPage(page, `/mail?q=${encodeURIComponent('is:neu in:ablage after:irgendwann')}`)
    const hints = page.locator('.mail-hints')
    await hints.getByText('is: kennt „neu“ nicht.').waitFor()
    await hints.getByText('Den Ordner „ablage“ gibt es nicht.').waitFor()
    await hints.getByText('„irgendwann“ ist kein Datum.').waitFor()
  })

  it('quotes the date in the time zone and the language of the account', async () => {
    await open('Pläne')
    await page.getByRole('button', { name: 'Allen antworten' }).click()
    const form = page.getByRole('form', { name: 'Antwort an Ines Falk' })
    await expect
      .poll(() => form.getByRole('textbox', { name: 'Text' }).innerText())
      .toContain('Am 03.03.2026, 05:30 schrieb Ines Falk:\n\nKannst du mir')
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
})
