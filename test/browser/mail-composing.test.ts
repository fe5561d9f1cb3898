import { simpleParser } from 'mailparser'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startScriptedSmtp } from '../support/smtp-script.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { expectOpen, expectToast, giveFile, mailLink, openMailbox } from './mailbox.ts'
import { createPng } from './pictures.ts'
import { type Service, startService } from './service.ts'
import {
  muteMail,
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

/** Sending starts after ten seconds, during which it can be undone. */
const SENT_WITHIN_MS = 25_000

withBrowser('console mail composer with formatted text', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let smtp: Awaited<ReturnType<typeof startScriptedSmtp>>
  let addAccount: (address: string, name: string) => Promise<void>
  const body = (): Locator => page.getByRole('textbox', { name: 'Text' })
  const html = async (): Promise<string> => body().innerHTML()

  beforeAll(async () => {
    smtp = await startScriptedSmtp()
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/settings/mail-accounts')
    await muteMail(service.url, 'ana@example.org')
    const login = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
    })
    const { token } = (await login.json()) as { token: string }
    const server = { host: '127.0.0.1', port: smtp.port, tls: 'none' }
    addAccount = async (address, name) => {
      const added = await fetch(`${service.url}/api/settings/mail-accounts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({
          address,
          name,
          senderName: 'Ana Ruiz',
          password: 'secret',
          imap: { ...server, port: 1 },
          smtp: server,
        }),
      })
      expect(added.status).toBe(201)
    }
    await addAccount('ana@example.org', 'Work')
    await page.reload()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    smtp?.close()
  })

  it('edits the signature and the senders of an account', async () => {
    await page.getByRole('button', { name: 'More actions for Work' }).click()
    await page.getByRole('menuitem', { name: 'Signature and senders' }).click()
    const dialog = page.getByRole('dialog', { name: 'Signature and senders of Work' })
    await dialog.getByRole('textbox', { name: 'Signature' }).fill('Ana Ruiz, Example Ltd.')
    await dialog.getByRole('button', { name: 'Add sender' }).click()
    await dialog.getByLabel('Sender name').fill('Sales')
    await dialog.getByLabel('Email address').fill('sales@example.org')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Work saved')
  })

  it('formats text, and inserts a template with the name of the recipient', async () => {
    await openPage(page, '/settings/mail-templates')
    await page.getByRole('button', { name: 'New template' }).click()
    const dialog = page.getByRole('dialog', { name: 'New template' })
    await dialog.getByLabel('Name', { exact: true }).fill('Offer')
    await dialog.getByLabel('Subject').fill('Offer for {{name}}')
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Dear {{firstName}},')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Offer saved')
    await openPage(page, '/mail/inbox/new')
    await page.getByLabel('To', { exact: true }).fill('Ben Okafor <ben@example.org>')
    await body().click({ position: { x: 20, y: 20 } })
    await page.keyboard.type('/')
    const templates = page.getByRole('dialog', { name: 'Templates' })
    await templates.getByRole('button', { name: 'Offer' }).click()
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Offer for Ben Okafor')
    await expect.poll(() => body().innerText()).toMatch(/^Dear Ben,\s+Ana Ruiz, Example Ltd\.$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('Important')
    await page.keyboard.press('Control+b')
    expect(await html()).toContain('<strong>Important</strong>')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- first')
    expect(await html()).toContain('<ul><li><p>first</p></li></ul>')
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
  })

  it('shows pasted images in the text and attaches dropped files', async () => {
    await giveFile(page, 'paste', 'chart.png', 'image/png', createPng(8, [200, 40, 40]))
    await body().locator('img[alt="chart.png"]').waitFor()
    await giveFile(page, 'drop', 'menu.txt', 'text/plain', Buffer.from('soup'))
    await page.getByRole('list', { name: 'Attached files' }).getByText('menu.txt').waitFor()
    await page.getByText('attached', { exact: false }).first().waitFor()
    expect(await page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').count()).toBe(1)
    await expect.poll(() => page.locator('.composer-head [role=status]').innerText()).toBe('Saved in Drafts')
  })

  it('keeps all of it after a reload, and replaces the sender', async () => {
    await page.goto('/mail/drafts')
    await mailLink(page, 'Offer for Ben Okafor').click()
    await body().locator('img[alt="chart.png"][src^="data:image/png"]').waitFor()
    expect(await html()).toContain('<strong>Important</strong>')
    await page.getByLabel('From').selectOption({ label: 'Sales <sales@example.org>' })
    await expect.poll(() => page.locator('.composer-head [role=status]').innerText()).toBe('Saved in Drafts')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expectToast(page, '“Offer for Ben Okafor” sent', SENT_WITHIN_MS)
    const parsed = await simpleParser(smtp.taken[0]?.raw ?? '')
    expect(parsed.from?.text).toBe('"Sales" <sales@example.org>')
    expect(parsed.html).toContain('<strong>Important</strong>')
    expect(parsed.html).toContain('src="data:image/png')
    expect(parsed.text).toMatch(/Dear Ben,\s+Important\s+\* first/)
    expect(parsed.attachments.map(({ filename }) => filename).toSorted()).toEqual(['chart.png', 'menu.txt'])
  })

  it('quotes formatted mail unchanged, and switches to plain text after a warning', async () => {
    await openMailbox(service).put({
      from: 'Ines Falk <ines@falk.example>',
      to: ['sales@example.org'],
      subject: 'Colors',
      html: '<table bgcolor="#ffcc00"><tr><td><b>Yellow</b></td></tr></table>',
      messageId: 'colors@falk.example',
    })
    await openPage(page, '/mail')
    await mailLink(page, 'Colors').click()
    await expectOpen(page, 'Colors')
    await page.keyboard.press('r')
    await body().getByRole('button', { name: 'Show quoted email' }).click()
    await page.frameLocator('.rich-text-quote iframe').getByText('Yellow').waitFor()
    // The reply comes from the address that the mail was sent to.
    expect(await page.getByLabel('From').locator('option:checked').innerText()).toBe(
      'Sales <sales@example.org>',
    )
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await pageWidth(page)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Plain text' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove formatting' }).click()
    await expect
      .poll(() => body().inputValue())
      .toMatch(/-- \nAna Ruiz|Ana Ruiz, Example Ltd\.\n\nOn .*Ines Falk wrote:\n\n> Yellow/)
    // Back again, without a warning.
    await page.getByRole('button', { name: 'Plain text' }).click()
    await expect.poll(() => html()).toContain('<blockquote>')
    await page.getByRole('button', { name: 'Send later' }).click()
    const later = page.getByRole('dialog', { name: 'Send later' })
    await later.getByRole('button', { name: /^Tomorrow morning/ }).click()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await later.getByRole('button', { name: 'Schedule' }).click()
    await expectToast(page, 'Scheduled for')
  })

  it('keeps the text that is typed before the editor has loaded', async () => {
    const slow = await visitor.context.newPage()
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await slow.route(/\/editor-[^/]+\.js$/, async (route) => {
      await isReleased
      await route.continue()
    })
    await slow.goto('/mail')
    await mailLink(slow, 'Colors').click()
    await expectOpen(slow, 'Colors')
    // The first letters are shortcuts of the page: archive, delete, unread.
    await slow.keyboard.press('r')
    await slow.locator('textarea.composer-text').waitFor()
    await slow.keyboard.type('e# u ')
    release()
    await slow.locator('.ProseMirror').waitFor()
    await slow.keyboard.type('end')
    await expect.poll(() => slow.locator('.ProseMirror > p').first().innerText()).toBe('e# u end')
    await slow.getByRole('button', { name: 'Discard draft' }).click()
    expect(await mailLink(slow, 'Colors').count()).toBe(1)
    await slow.close()
  })

  it('adds, changes and removes a link', async () => {
    await openPage(page, '/mail/inbox/new')
    await body().click()
    await page.keyboard.type('See our site')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    // The editor learns of a selection by an event of its own, which a busy machine delivers after the next key.
    await expect.poll(() => page.evaluate('String(getSelection())')).toBe('site')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    await page.keyboard.press('Control+k')
    const popover = page.getByRole('dialog', { name: 'Link' })
    await popover.getByLabel('Address').fill('https://example.org/one')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await popover.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => body().locator('a').getAttribute('href')).toBe('https://example.org/one')
    await popover.waitFor({ state: 'detached' })
    expect(await body().locator('a').innerText()).toBe('site')
    await page.getByRole('button', { name: /^Link/ }).click()
    await expect.poll(() => popover.getByLabel('Address').inputValue()).toBe('https://example.org/one')
    await popover.getByLabel('Address').fill('https://example.org/two')
    await popover.getByLabel('Address').press('Enter')
    await expect.poll(() => body().locator('a').getAttribute('href')).toBe('https://example.org/two')
    await popover.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Link/ }).click()
    await popover.getByLabel('Address').fill('')
    await popover.getByLabel('Address').press('Enter')
    await popover.waitFor({ state: 'detached' })
    await expect.poll(() => body().locator('a').count()).toBe(0)
    expect(await body().innerText()).toContain('See our site')
  })

  it('sends from another account', async () => {
    await addAccount('ana@club.example', 'Club')
    await page.goto('/mail/inbox/new')
    await page.getByLabel('From').selectOption({ label: 'Ana Ruiz <ana@club.example>' })
    await page.getByLabel('To', { exact: true }).fill('Ben Okafor <ben@example.org>')
    await page.getByLabel('Subject').fill('From the club')
    // The signature belongs to the other account.
    await expect.poll(() => body().innerText()).not.toContain('Example Ltd.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expectToast(page, '“From the club” sent', SENT_WITHIN_MS)
    const sent = await simpleParser(smtp.taken.at(-1)?.raw ?? '')
    expect(sent.from?.text).toBe('"Ana Ruiz" <ana@club.example>')
  })

  it('keeps the buttons of the composer in one row in German', async () => {
    await page.evaluate(async () => {
      const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
      const { token } = (await refreshed.json()) as { token: string }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const body = JSON.stringify({ locale: 'de-DE' })
      await fetch('/api/settings/preferences', { method: 'PATCH', headers, body })
    })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/mail/inbox/new')
      const [send, discard] = ['Senden', 'Entwurf verwerfen'].map((name) =>
        page.getByRole('button', { name, exact: true }),
      )
      await discard?.waitFor()
      const findOffset = async (): Promise<number> => {
        const boxes = [await send?.boundingBox(), await discard?.boundingBox()]
        const [first = 0, second = 0] = boxes.map((box) => (box ? box.y + box.height / 2 : Number.NaN))
        return Math.abs(first - second)
      }
      // The row moves while the editor loads.
      await expect.poll(findOffset).toBeLessThan(4)
    }
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
