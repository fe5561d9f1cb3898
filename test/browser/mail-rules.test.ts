import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, startInstance } from '../support/instance.ts'
import { listMail } from '../support/list-mail.ts'
import { storeMail } from '../support/meeting-mail.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { expectOpen, expectToast, mailLink, undo } from './mailbox.ts'
import { takeScreenshots } from './screenshots.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))

withBrowser('console mail rules', () => {
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    instance = await startInstance({ environment: { TZ_DEFAULT: 'UTC' }, deps: { consoleDirectory } })
    for (const subject of ['Invoice one', 'Invoice two', 'Offer'])
      await instance.post('/api/emails', { from: 'Shop <pay@shop.example>', subject, text: 'Hello' })
    const news = { listId: 'The Gazette <gazette.example>', unsubscribe: '<mailto:leave@gazette.example>' }
    await storeMail(instance, listMail({ ...news, subject: 'Issue 1', date: instance.clock.now() }))
    browser = await openBrowser()
    visitor = await visit(browser, instance.url, { expected: [{ status: 400, path: /mail-rules/ }] })
    page = visitor.page
    await signUp(visitor, '/mail')
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  const dialog = () => page.getByRole('dialog')
  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const rows = () => page.getByRole('region', { name: 'Your rules' }).getByRole('listitem')
  const pick = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  it('creates a rule from form fields that mirror the search, with a live match count', async () => {
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Rules' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
    await page.getByText('No rules yet').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await takeScreenshots(page, 'rules-empty')
    await page.getByRole('button', { name: 'New rule' }).focus()
    await page.keyboard.press('Enter')
    await field('From').fill('pay@shop.example')
    await dialog().getByText('3 emails in your inbox match.').waitFor()
    await field('Subject').fill('my invoice')
    await expect
      .poll(() => field('Search query').inputValue())
      .toBe('from:pay@shop.example subject:"my invoice"')
    await dialog().getByText('No emails in your inbox match.').waitFor()
    await field('Search query').fill('from:shop subject:invoice -draft')
    expect(await Promise.all(['From', 'Subject', 'Words'].map((name) => field(name).inputValue()))).toEqual([
      'shop',
      'invoice',
      '-draft',
    ])
    await dialog().getByText('2 emails in your inbox match.').waitFor()
    await field('Name').fill('Invoices')
    await takeScreenshots(page, 'rule-dialog')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    // An unfinished rule is kept as a draft.
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New rule' }).click()
    await dialog().getByText('Unsaved changes restored').waitFor()
    expect(await field('Search query').inputValue()).toBe('from:shop subject:invoice -draft')
    const make = dialog().getByRole('button', { name: 'Create rule' })
    await make.click()
    await dialog().getByText('Choose at least one action.').waitFor()
    await field('Tags').fill('Money, #shop')
    await field('Mark as read').check()
    await field('Search query').fill('from:shop subject:invoice is:unread')
    await make.click()
    await dialog().getByText('cannot use is:').waitFor()
    await field('Search query').fill('from:shop subject:invoice')
    await make.click()
    await expectToast(page, 'Rule “Invoices” created')
    await expect.poll(() => rows().count()).toBe(1)
    await expect.poll(() => rows().innerText()).toMatch(/Invoices[\s\S]*tag #Money #shop and mark as read/)
  })

  it('runs a rule over the inbox after showing the count, and undoes it', async () => {
    await pick('Invoices', 'Run now')
    await dialog().getByText('Changes 2 emails: tag #Money #shop and mark as read.').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await takeScreenshots(page, 'rule-run')
    await dialog().getByRole('button', { name: 'Run now' }).click()
    await expectToast(page, '“Invoices” applied to 2 emails')
    const tagged = async () => (await instance.get('/api/emails?tag=money&unread=false')).body.emails.length
    expect(await tagged()).toBe(2)
    await undo(page, '“Invoices” applied to 2 emails')
    await expectToast(page, 'Changes undone')
    expect(await tagged()).toBe(0)
  })

  it('turns off and edits a rule, updates other tabs, and restores a removed rule', async () => {
    const other = await page.context().newPage()
    await other.goto('/mail/rules')
    const theirs = other.getByRole('region', { name: 'Your rules' }).getByRole('listitem')
    await theirs.getByText('On', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Apply the rule Invoices' }).focus()
    await page.keyboard.press('Space')
    await expectToast(page, 'Rule “Invoices” turned off')
    await theirs.getByText('Off', { exact: true }).waitFor()
    await other.close()
    await page.getByRole('button', { name: 'Invoices', exact: true }).click()
    expect(await field('Tags').inputValue()).toBe('Money, shop')
    await field('Move').selectOption('archive')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Rule “Invoices” saved')
    await rows().getByText('archive, tag #Money #shop, and mark as read').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await takeScreenshots(page, 'rules')
    await pick('Invoices', 'Delete')
    await expect.poll(() => rows().count()).toBe(0)
    await undo(page, 'Rule “Invoices” deleted')
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('creates a rule from a mail, by its mailing list or its sender', async () => {
    await openPage(page, '/mail')
    const begin = async (subject: string, sender: string) => {
      await mailLink(page, subject).click()
      await expectOpen(page, subject)
      await page.getByRole('button', { name: `More actions for the email from ${sender}` }).click()
      await page.getByRole('menuitem', { name: 'Create rule from this email' }).click()
    }
    await begin('Offer', 'Shop')
    expect(await field('From').inputValue()).toBe('pay@shop.example')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await openPage(page, '/mail')
    await begin('Issue 1', 'Example News')
    expect(await field('Words').inputValue()).toBe('list:gazette.example')
    expect(await field('Name').inputValue()).toBe('The Gazette')
    await field('Move').selectOption('trash')
    await dialog().getByRole('button', { name: 'Create rule' }).click()
    await page.locator('.toast').getByRole('button', { name: 'Apply to inbox' }).click()
    await expectToast(page, '“The Gazette” applied to 1 email')
    expect((await instance.get('/api/emails?folder=trash')).body.emails).toHaveLength(1)
  })

  it('fits a small phone screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await openPage(page, '/mail/rules')
    await rows().first().waitFor()
    expect(await pageWidth(page)).toBeLessThanOrEqual(320)
    await takeScreenshots(page, 'rules-phone')
    await page.getByRole('button', { name: 'New rule' }).click()
    await field('From').waitFor()
    expect(await pageWidth(page)).toBeLessThanOrEqual(320)
    await takeScreenshots(page, 'rule-dialog-phone')
    expect(visitor.browserErrors).toEqual([])
  })
})
