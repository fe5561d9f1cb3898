import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startScriptedSmtp } from '../support/smtp-script.ts'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { expectOpen, expectToast, mailLink, mailRow, openMailbox, subjects, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import {
  browserPath,
  muteMail,
  openBrowser,
  openPage,
  PASSWORD,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

/** Sending starts after ten seconds, during which it can be undone. */
const SENT_WITHIN_MS = 25_000

const write = (page: Page, title = 'New email') => page.getByRole('form', { name: title })
const chips = async (page: Page): Promise<string[]> =>
  (await page.locator('.recipient-name').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))

/** Shared by both parts of this file. Each has its own instance. */
let browser: Browser
beforeAll(async () => {
  if (browserPath) browser = await openBrowser()
})
afterAll(() => browser?.close())

withBrowser('console mail composer', () => {
  let service: Service
  let visitor: Visitor
  let page: Page
  let smtp: Awaited<ReturnType<typeof startScriptedSmtp>>

  beforeAll(async () => {
    smtp = await startScriptedSmtp()
    service = await startService()
    visitor = await visit(browser, service.url, { expected: [{ status: 412, path: /emails/ }] })
    page = visitor.page
    await signUp(visitor, '/settings/mail-accounts')
    await muteMail(service.url, 'ana@example.org')
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
    smtp?.close()
  })

  it('requires an account, and the connection test names the failed step', async () => {
    await page.getByText('No email account').waitFor()
    await page.getByRole('button', { name: 'Add account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('ana@gmail.com')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    // This instance has no OAuth client, so the steps for an app password come first.
    const appPasswords = dialog.getByRole('link', { name: 'Open the app passwords of your Google Account.' })
    expect(await appPasswords.getAttribute('href')).toBe('https://myaccount.google.com/apppasswords')
    expect(await dialog.getByRole('button', { name: 'Sign in with Google' }).count()).toBe(0)
    await dialog.getByText('Server settings').click()
    await expect
      .poll(() => dialog.getByLabel('Server', { exact: true }).first().inputValue())
      .toBe('imap.gmail.com')
    await dialog.getByLabel('App password', { exact: true }).fill('secret')
    await dialog.getByLabel('Sender name').fill('Ana Ruiz')
    for (const [index, port] of [1, smtp.port].entries()) {
      await dialog.getByLabel('Server', { exact: true }).nth(index).fill('127.0.0.1')
      await dialog.getByLabel('Port').nth(index).fill(String(port))
      await dialog.getByLabel('Security').nth(index).selectOption('none')
    }
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('Incoming mail (IMAP): could not connect').waitFor()
    await dialog.getByText('Outgoing mail (SMTP): connected').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await expectToast(page, 'ana@gmail.com added.')
    await page.getByText('Sync failed').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('asks for the password again when a server changes', async () => {
    await page.getByRole('button', { name: 'More actions for ana@gmail.com' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit ana@gmail.com' })
    await dialog.getByLabel('Name', { exact: true }).fill('Home')
    await dialog.getByLabel('New password', { exact: true }).waitFor()
    await dialog.getByLabel('Server', { exact: true }).first().fill('localhost')
    const again = dialog.getByLabel('Password again', { exact: true })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Password again is required.').waitFor()
    await again.fill('secret')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Home saved')
    await page.getByRole('button', { name: 'More actions for Home' }).click()
    await page.getByRole('menuitem', { name: 'Test connection' }).click()
    await page.getByText('could not connect').waitFor()
  })

  it('saves a draft while typing and reopens it later', async () => {
    await openPage(page, '/mail')
    await page.getByText('Inbox is empty').waitFor()
    await page.keyboard.press('c')
    await write(page).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await page.keyboard.type('Ben Okafor <ben@example.org>, nonsense,')
    await page.getByText('Invalid address: nonsense').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    expect(smtp.handedOver).toBe(0)
    await page.getByRole('button', { name: 'Remove nonsense' }).click()
    await page.getByLabel('Subject').fill('Lunch')
    await page.getByRole('textbox', { name: 'Text' }).fill('At noon?')
    await page.locator('input[type="file"]').setInputFiles({
      name: 'menu.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('soup'),
    })
    await write(page).getByText('menu.txt').waitFor()
    await page.getByText('Saved in Drafts').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Drafts , 1 unfinished' }).click()
    await mailLink(page, 'Lunch').click()
    const draft = write(page, 'Draft')
    await draft.waitFor()
    await expect.poll(() => chips(page)).toEqual(['Ben Okafor'])
    await expect.poll(() => page.getByRole('textbox', { name: 'Text' }).innerText()).toBe('At noon?')
    await draft.getByText('menu.txt').waitFor()
  })

  it('does not overwrite changes of another window', async () => {
    const other = await visitor.context.newPage()
    await other.goto(page.url())
    const text = (on: Page) => on.getByRole('textbox', { name: 'Text' })
    await text(other).fill('At one?')
    await other.getByText('Saved in Drafts').waitFor()
    await expect.poll(() => other.locator('.composer-head [role=status]').innerText()).toBe('Saved in Drafts')
    await text(page).fill('At two?')
    await page.getByText('This draft was changed or sent in another window.').waitFor()
    await page.getByRole('button', { name: 'Save my version' }).click()
    await page.getByText('Saved in Drafts').waitFor()
    await other.close()
  })

  it('sends a mail, undoes it within ten seconds, and sends it again', async () => {
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expectToast(page, 'Sending “Lunch”')
    await mailRow(page, 'Lunch').getByText('Queued').waitFor()
    await undo(page, 'Sending “Lunch”')
    await expectToast(page, 'Sending undone')
    await write(page, 'Draft').getByText('menu.txt').waitFor()
    await page.getByRole('textbox', { name: 'Text' }).fill('At three?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expectToast(page, '“Lunch” sent', SENT_WITHIN_MS)
    expect(smtp.taken.map(({ recipients }) => recipients)).toEqual([['ben@example.org']])
    expect(smtp.taken[0]?.raw).toContain('At three?')
    expect(smtp.taken[0]?.raw).toContain('filename=menu.txt')
    expect(smtp.taken[0]?.raw).toContain('From: Ana Ruiz <ana@gmail.com>')
    await page.getByRole('link', { name: 'Sent' }).click()
    await mailLink(page, 'Lunch').waitFor()
    await page.getByRole('link', { name: /^Drafts/ }).click()
    await page.getByText('No drafts').waitFor()
  })

  it('replies to all above the quoted text, in the same thread', async () => {
    await openMailbox(service).put({
      from: 'Ines Falk <ines@falk.example>',
      to: ['ana@gmail.com', 'Tom <tom@example.org>'],
      subject: 'Drawings',
      text: 'They are done.',
      messageId: 'one@falk.example',
    })
    await openPage(page, '/mail')
    await mailLink(page, 'Drawings').click()
    await expectOpen(page, 'Drawings')
    await page.keyboard.press('a')
    await write(page, 'Reply to Ines Falk').waitFor()
    await expect.poll(() => chips(page)).toEqual(['Ines Falk', 'Tom'])
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('DIV')
    await page.keyboard.type('Thank you!')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Text' }).innerText())
      .toMatch(/^Thank you!\s+On .*, Ines Falk wrote:\s+They are done\.$/)
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Re: Drawings')
    await page.getByText('Saved in Drafts').waitFor()
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await expectToast(page, 'Draft discarded')
    await undo(page, 'Draft discarded')
    await write(page, 'Draft').waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Text' }).innerText()).toMatch(/^Thank you!/)
  })

  it('reports rejected, uncertain and queued deliveries', async () => {
    smtp.turns = ['refuse']
    const send = async (subject: string) => {
      await openPage(page, '/mail/inbox/new')
      await page.getByLabel('To', { exact: true }).fill('ben@example.org')
      await page.getByLabel('Subject').fill(subject)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expectToast(page, `Sending “${subject}”`)
    }
    await send('Refused')
    await expectToast(page, 'Could not send “Refused”. 554', SENT_WITHIN_MS)
    await page.getByRole('link', { name: /^Drafts/ }).click()
    await mailRow(page, 'Refused').getByText('Not sent').waitFor()
    await mailLink(page, 'Refused').click()
    await page.getByText('This email was not sent.').waitFor()
    await page.getByText('We do not like this message').first().waitFor()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await expectToast(page, '“Refused” not sent, moved to trash')
    smtp.turns = ['die after data']
    await send('Uncertain')
    await expectToast(page, 'Could not confirm that “Uncertain” was sent.', SENT_WITHIN_MS)
    await page.getByRole('link', { name: 'Sent' }).click()
    await mailRow(page, 'Uncertain').getByText('Possibly sent').waitFor()
    await mailLink(page, 'Uncertain').click()
    await page.getByText('Could not confirm that this email was sent.').waitFor()
    await page.getByRole('button', { name: 'Send again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send again?' })
    await dialog.getByText('may get this email twice').waitFor()
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await expectToast(page, 'Sending “Uncertain” again')
    await page.getByRole('button', { name: 'Cancel and edit' }).waitFor()
    await expect.poll(() => page.locator('.toast').count()).toBe(0)
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('sends at the scheduled time and can be cancelled before', async () => {
    await openPage(page, '/mail/inbox/new')
    await page.getByLabel('To', { exact: true }).fill('ben@example.org')
    await page.getByLabel('Subject').fill('Later')
    await page.getByRole('button', { name: 'Send later' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send later' })
    expect(await dialog.getByLabel('Time', { exact: true }).inputValue()).toMatch(/^8:00\sAM$/)
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await expectToast(page, 'Scheduled for')
    await openPage(page, '/mail/drafts')
    await mailLink(page, 'Later').click()
    await page.getByRole('button', { name: 'Cancel and edit' }).click()
    await write(page, 'Draft').waitFor()
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Later')
  })

  it('removes the account only after confirmation', async () => {
    await openPage(page, '/settings/mail-accounts')
    await page.getByRole('button', { name: 'More actions for Home' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete Home?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No email account').waitFor()
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})

withBrowser('console mail in a private instance', () => {
  it('downloads attachments with a session', async () => {
    const service = await startService({ ACCESS: 'private' })
    const visitor = await visit(browser, service.url)
    const { page } = visitor
    try {
      await signUp(visitor, '/tasks')
      const login = await fetch(`${service.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
      })
      const { token } = (await login.json()) as { token: string }
      await openMailbox(service, token).raw([
        'From: Blue Shop <shop@blue.example>',
        'Subject: Your order',
        'MIME-Version: 1.0',
        'Content-Type: text/csv; name=order.csv',
        'Content-Disposition: attachment; filename=order.csv',
        '',
        'lamp,2',
      ])
      await page.goto('/mail')
      await mailLink(page, 'Your order').click()
      const coming = page.waitForEvent('download')
      await page.getByRole('button', { name: /^Download order\.csv/ }).click()
      const file = await (await coming).createReadStream()
      const chunks: Buffer[] = []
      for await (const chunk of file) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toContain('lamp,2')
      await page.getByRole('button', { name: 'Preview order.csv' }).click()
      const preview = page.getByRole('dialog', { name: 'order.csv' })
      await preview.getByText('lamp,2').waitFor()
      expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
      await page.keyboard.press('Escape')
      await preview.waitFor({ state: 'hidden' })
      await expect.poll(() => subjects(page)).toEqual(['Your order'])
    } finally {
      await visitor.context.close()
      await service.stop()
    }
  })
})
