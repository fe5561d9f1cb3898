import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { expectToast, openMailbox, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import {
  browserPath,
  openBrowser,
  openPage,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const VCARD = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'FN:Zoë Lindgren',
  'EMAIL;TYPE=work:zoe@imported.example',
  'EMAIL:not an address',
  'TEL;TYPE=WORK,FAX:+46 1',
  'BDAY:--0412',
  'ADR;TYPE=HOME:;;Storgatan 1;Lund;;222 22;Sweden',
  'URL:https://choir.example',
  'CATEGORIES:Choir\\, old,Friends',
  'X-SOCIALPROFILE:https://social.example/@zoe',
  'END:VCARD',
  '',
].join('\r\n')

withBrowser('contacts in the console', () => {
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
    await signUp(visitor, '/contacts')
    const { put } = openMailbox(service)
    await put({ from: 'Ines Falk <ines@falk.example>', subject: 'Drawings', text: 'x' })
    await put({ from: 'Ines Falk <i.falk@home.example>', subject: 'Sunday', text: 'x' })
    const to = ['Ines Falk <ines@falk.example>']
    await put({ folder: 'sent', from: 'ana@example.org', to, subject: 'Re: Drawings' })
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
    await browser?.close()
  })

  it('completes a recipient by keyboard: three letters, arrow, Enter', async () => {
    await openPage(page, '/mail/inbox/new')
    const to = page.getByRole('combobox', { name: 'To' })
    await to.pressSequentially('ine')
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBe(2)
    expect(await options.first().innerText()).toContain('ines@falk.example')
    expect(await to.getAttribute('aria-expanded')).toBe('true')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const active = await to.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).innerText()).toContain('i.falk@home.example')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    await to.pressSequentially('s')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.keyboard.press('Enter')
    expect(await page.locator('.recipient-name').allInnerTexts()).toEqual(['Ines Falk'])
    expect(await page.locator('.recipient-name').getAttribute('title')).toBe('ines@falk.example')
  })

  it('shows a person with addresses and mail, edits and merges contacts', async () => {
    await openPage(page, '/contacts?show=all')
    const list = page.getByRole('list', { name: 'Contacts' })
    await expect.poll(() => list.getByRole('link').count()).toBe(2)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await list.getByRole('link', { name: /ines@falk/ }).click()
    const person = page.getByRole('article', { name: 'Ines Falk' })
    await person.getByRole('link', { name: 'Re: Drawings' }).waitFor()
    await person.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByLabel('Organization').fill('Falk Architekten')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Contact “Ines Falk” saved')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Find duplicates' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge Ines Falk' }).click()
    await expectToast(page, 'Merged into “Ines Falk”')
    await page.getByRole('dialog').getByText('No duplicates found').waitFor()
    await page.keyboard.press('Escape')
    await person.getByRole('link', { name: 'Write to i.falk@home.example' }).waitFor()
    await undo(page, 'Merged into “Ines Falk”')
    await expect.poll(() => list.getByRole('link').count()).toBe(2)
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('imports vCards, writes to a contact, and deletes it with undo', async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Import vCard' }).click()
    const dialog = page.getByRole('dialog')
    const file = { name: 'contacts.vcf', mimeType: 'text/vcard', buffer: Buffer.from(VCARD) }
    await dialog.locator('input[type="file"]').setInputFiles(file)
    await dialog.getByText('1 contact added, 0 updated, 0 skipped.').waitFor()
    await dialog.getByText('“not an address” is not an email address.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('zoe')
    await expect.poll(() => page.locator('.contact-row').count()).toBe(1)
    await page.getByRole('link', { name: /Zoë Lindgren/ }).click()
    const person = page.getByRole('article', { name: 'Zoë Lindgren' })
    await person.getByText('Birthday: April 12').waitFor()
    await person.getByText('222 22 Lund').waitFor()
    await person.getByRole('link', { name: 'choir.example' }).waitFor()
    await person.getByRole('button', { name: 'Edit' }).click()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByLabel('Year (optional)').fill('1985')
    await dialog.getByLabel('City').fill('Malmö')
    await dialog.getByRole('button', { name: 'Add website' }).click()
    await dialog.getByRole('textbox', { name: 'Website 2' }).fill('zoe.example/about')
    await dialog.getByLabel('Month').selectOption('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Day is not a date.').waitFor()
    await dialog.getByLabel('Month').selectOption('May')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await person.getByText('Birthday: May 12, 1985').waitFor()
    await person.getByRole('link', { name: 'zoe.example/about' }).waitFor()
    await person.getByRole('button', { name: 'Actions for Zoë Lindgren' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export vCard' }).click()
    const exported = readFileSync(await (await download).path(), 'utf8').split('\r\n')
    const gone = /^(?:BDAY|ADR)/
    expect(exported.toSorted()).toEqual(
      [
        ...VCARD.split('\r\n').filter((line) => !gone.test(line)),
        'N:Zoë Lindgren;;;;',
        'BDAY:1985-05-12',
        'ADR;TYPE=home:;;Storgatan 1;Malmö;;222 22;Sweden',
        'URL:https://zoe.example/about',
      ].toSorted(),
    )
    await person.getByRole('button', { name: 'Actions for Zoë Lindgren' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await undo(page, 'Contact “Zoë Lindgren” deleted')
    await page.getByRole('link', { name: /Zoë Lindgren/ }).click()
    await person.getByRole('link', { name: 'Write email' }).click()
    await expect.poll(() => page.locator('.recipient-name').allInnerTexts()).toEqual(['Zoë Lindgren'])
  })

  it('completes an attendee in the event dialog', async () => {
    await openPage(page, '/calendar')
    await page.getByRole('button', { name: 'New event' }).first().click()
    await page.getByRole('button', { name: 'More options' }).click()
    const dialog = page.getByRole('dialog', { name: 'New event' })
    await dialog.getByText('Attendees, notes and tags').click()
    const attendees = dialog.getByRole('combobox', { name: 'Attendees' })
    await attendees.pressSequentially('zoe')
    await page.getByRole('option', { name: /Zoë Lindgren/ }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('list', { name: 'Invited attendees' }).getByText('Zoë Lindgren').waitFor()
    expect(await attendees.inputValue()).toBe('')
    await page.keyboard.press('Escape')
  })

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openPage(page, '/contacts?show=all')
    await page.getByRole('link', { name: /ines@falk/ }).click()
    await page.getByRole('article', { name: 'Ines Falk' }).waitFor()
    expect(await pageWidth(page)).toBeLessThanOrEqual(390)
  })
})
