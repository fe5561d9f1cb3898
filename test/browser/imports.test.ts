import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calendar, mbox, TODOIST } from '../support/import-files.ts'
import { findAccessibilityIssues, findDarkModeIssues } from './faults.ts'
import { type Service, startService } from './service.ts'
import {
  browserPath,
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const toFile = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})

withBrowser('the import page', () => {
  let browser: Browser
  let service: Service
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    if (!browserPath) return
    browser = await openBrowser()
    service = await startService()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/settings/imports')
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
    await browser?.close()
  })

  const rowOf = (filename: string): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: filename }) })

  it('reads several files, imports one after the dry run, and undoes it', async () => {
    const mails = mbox({ id: 'one', subject: 'Lunch' }, { id: 'two', subject: 'Dinner' })
    await page
      .getByLabel('Files to import')
      .setInputFiles([toFile('Friends.mbox', mails), toFile('Private.csv', TODOIST)])
    const help = page.getByRole('link', { name: 'How to export from Gmail, Outlook or Todoist' })
    expect(await help.getAttribute('href')).toBe('/help/importing')
    const row = rowOf('Friends.mbox')
    await row.getByText('Ready').waitFor()
    expect(await row.getByText('For example: Lunch').count()).toBe(1)
    await row.getByRole('combobox', { name: 'Mail folder' }).selectOption('Inbox')
    const tasks = rowOf('Private.csv')
    await tasks.getByText('Ready').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await row.getByRole('button', { name: 'Import', exact: true }).click()
    // The state arrives as a live event.
    await row.getByText('Done').waitFor()
    expect(await row.getByText('2 new').count()).toBe(1)
    await openPage(page, '/mail/inbox')
    await page.getByRole('link', { name: /Dinner/ }).waitFor()

    await openPage(page, '/settings/imports')
    await row.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click()
    await row.getByText('2 items removed').waitFor()
  })

  it('uses the chosen time zone, and lists what did not fit', async () => {
    const row = rowOf('Private.csv')
    await row.getByText('parts did not fit').waitFor()
    await row.getByRole('button', { name: 'Show', exact: true }).click()
    await row.getByText('every other full moon').waitFor()

    await page.getByLabel('Files to import').setInputFiles([toFile('Work.ics', calendar('Stand-up'))])
    const events = rowOf('Work.ics')
    await events.getByText('Ready').waitFor()
    const zone = events.getByRole('combobox', { name: 'Time zone', exact: true })
    await zone.fill('Tokyo')
    await page.getByRole('option', { name: /Tokyo/ }).click()
    await events.getByRole('button', { name: 'Import', exact: true }).click()
    await events.getByText('Done').waitFor()
    const { token } = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
    }).then((response) => response.json() as Promise<{ token: string }>)
    const found = await fetch(`${service.url}/api/calendar/events?start=2020-02-28&end=2020-03-05`, {
      headers: { authorization: `Bearer ${token}` },
    }).then((response) => response.json() as Promise<{ events: { start: string }[] }>)
    // 09:00 in Tokyo.
    expect(found.events.map(({ start }) => start)).toEqual(['2020-03-01T00:00:00.000Z'])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('fits a phone in German', async () => {
    const phone = await visit(browser, service.url, { width: 390, locale: 'de-DE' })
    await signUp(phone, '/settings/imports', { name: 'Ida', email: 'ida@example.org', locale: 'de-DE' })
    await phone.page
      .getByLabel('Dateien zum Importieren')
      .setInputFiles([toFile('Arbeit.ics', calendar('Termin'))])
    await phone.page.getByText('Bereit').waitFor()
    await phone.page.getByRole('combobox', { name: 'Zeitzone' }).waitFor()
    expect(await pageWidth(phone.page)).toBeLessThanOrEqual(390)
    await phone.page.getByRole('button', { name: 'Importieren', exact: true }).click()
    await phone.page.getByText('Fertig').waitFor()
    await phone.page.getByText('1 neu').waitFor()
    expect(phone.browserErrors).toEqual([])
    await phone.context.close()
    expect(visitor.browserErrors).toEqual([])
  })
})
