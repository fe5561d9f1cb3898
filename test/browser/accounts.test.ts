import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startScriptedSmtp } from '../support/smtp-script.ts'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, PASSWORD, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

withBrowser('console accounts page', () => {
  let service: Service
  let browser: Browser
  let smtp: Awaited<ReturnType<typeof startScriptedSmtp>>
  let owner: Visitor
  let member: Visitor
  beforeAll(async () => {
    service = await startService((port) => ({ PUBLIC_URL: `http://127.0.0.1:${port}` }))
    smtp = await startScriptedSmtp()
    browser = await openBrowser()
    owner = await visit(browser, service.url)
    await signUp(owner, '/settings/accounts')
    member = await visit(browser, service.url)
    await signUp(member, '/settings', { name: 'Ben', email: 'ben@example.org' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    smtp?.close()
  })

  const row = (name: string) => owner.page.getByRole('listitem').filter({ hasText: name })
  const act = async (name: string, action: string) => {
    await openMenu(name).click()
    await owner.page.getByRole('menuitem', { name: action }).click()
  }
  const openMenu = (name: string) => owner.page.getByRole('button', { name: `Actions for ${name}` })
  const card = (name: string) => owner.page.getByRole('region', { name, exact: true })
  /** Calls the API as one of the accounts. */
  const call = async (
    email: string,
    method: string,
    path: string,
    body: string | Buffer<ArrayBuffer>,
    type: string,
  ) => {
    const signedIn = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    const { token } = (await signedIn.json()) as { token: string }
    const headers = { 'content-type': type, authorization: `Bearer ${token}` }
    const answer = await fetch(`${service.url}${path}`, { method, headers, body })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const dialog = () => owner.page.getByRole('dialog').filter({ has: owner.page.locator('form') })

  it('exists for the owner only', async () => {
    await member.page.getByRole('link', { name: 'Profile' }).first().waitFor()
    expect(await member.page.getByRole('link', { name: 'Accounts', exact: true }).count()).toBe(0)
  })

  it('shows the storage, and limits it with the keyboard', async () => {
    const { page } = owner
    const file = Buffer.alloc(2_300_000, 7)
    await call('ben@example.org', 'POST', '/api/attachments?filename=a.bin', file, 'application/octet-stream')
    await page.reload()
    await row('ben@example.org').getByText('Storage: 2.3 MB').waitFor()
    await openMenu('Ben').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Set storage limit…' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog().getByRole('spinbutton', { name: 'Gigabytes' }).waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.type('0.0025')
    await page.keyboard.press('Enter')
    await row('ben@example.org').getByText('Storage: 2.3 MB of 2.5 MB').waitFor()
    await act('Ana', 'Set storage limit…')
    await dialog().getByRole('button', { name: 'Cancel' }).click()
  })

  it('warns an account whose storage is nearly full, and rejects more', async () => {
    const { page } = member
    await page.goto('/settings')
    await page.getByText('Your storage is nearly full.').waitFor()
    await page.getByRole('link', { name: 'Show storage' }).click()
    const storage = page.getByRole('region', { name: 'Storage', exact: true })
    await storage.getByText('2.3 MB of 2.5 MB').waitFor()
    await storage.getByRole('progressbar', { name: 'Storage used' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    const more = Buffer.alloc(300_000, 7)
    await expect(
      call('ben@example.org', 'POST', '/api/attachments?filename=b.bin', more, 'application/octet-stream'),
    ).rejects.toThrow('storage_full')
  })

  it('lists accounts with their last sign-in, and disables one with undo', async () => {
    await owner.page.reload()
    await row('ben@example.org').getByText('Last sign-in:').waitFor()
    expect(await findAccessibilityIssues(owner.page)).toEqual([])
    await act('Ben', 'Disable')
    await row('ben@example.org').getByText('Disabled').waitFor()
    await owner.page.getByRole('button', { name: 'Undo' }).click()
    await row('ben@example.org').getByText('Disabled').waitFor({ state: 'detached' })
  })

  it('limits the storage of new accounts', async () => {
    const limits = card('Storage limit of new accounts')
    await limits.getByLabel('Gigabytes').fill('5')
    await limits.getByRole('button', { name: 'Save' }).click()
    await owner.page.getByText('Storage limit saved').first().waitFor()
    await owner.page.reload()
    await expect.poll(() => limits.getByLabel('Gigabytes').inputValue()).toBe('5')
  })

  it('says that nothing can be mailed, and then from which address', async () => {
    const { page } = owner
    const mail = card('Instance mail')
    await mail.getByText('Password resets and invitations cannot be mailed.').waitFor()
    for (const address of ['first@example.org', 'second@example.org']) {
      const server = { host: '127.0.0.1', port: smtp.port, tls: 'none' }
      const body = JSON.stringify({ address, password: 'x', imap: server, smtp: server })
      await call('ana@example.org', 'POST', '/api/settings/mail-accounts', body, 'application/json')
    }
    await page.reload()
    await mail.getByText('Sent from first@example.org').waitFor()
    await mail.getByLabel('Sender').selectOption({ label: 'second@example.org' })
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog().getByRole('button', { name: 'Save' }).click()
    await mail.getByText('Sent from second@example.org').waitFor()
    await page.getByText('Sender saved').waitFor()
  })

  it('mails an invitation, shows the link of another, and revokes it', async () => {
    const { page } = owner
    const invitations = card('Invitations')
    await invitations.getByRole('button', { name: 'Invite someone' }).click()
    await dialog().getByLabel('Email address (optional)').fill('zoe@example.org')
    await dialog().getByLabel('Send the link by email').check()
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog().getByRole('button', { name: 'Create invitation' }).click()
    await page.getByText('Invitation sent to zoe@example.org').waitFor()
    expect(smtp.taken.at(-1)).toMatchObject({ recipients: ['zoe@example.org'] })
    await invitations.getByRole('button', { name: 'Invite someone' }).click()
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await dialog().getByRole('button', { name: 'Create invitation' }).click()
    const secret = page.getByRole('dialog', { name: 'Invitation link' })
    await secret.getByText('/register?invitation=').waitFor()
    await secret.getByRole('button', { name: 'Copy' }).click()
    await secret.getByRole('button', { name: 'Done' }).click()
    await invitations.getByRole('button', { name: 'Delete invitation: Anyone with the link' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Invitation deleted').waitFor()
    expect(await invitations.getByRole('listitem').count()).toBe(1)
    await page.goto('/settings/invitations')
    await page.waitForURL('**/settings/accounts#invitations')
  })

  it('fits on a phone and is translated', async () => {
    const { page } = owner
    await page.setViewportSize({ width: 360, height: 900 })
    await card('Instance mail').getByLabel('Sender').waitFor()
    await expect.poll(() => pageWidth(page)).toBe(360)
    await page.setViewportSize({ width: 1280, height: 900 })
    const language = (locale: string) =>
      call(
        'ana@example.org',
        'PATCH',
        '/api/settings/preferences',
        JSON.stringify({ locale }),
        'application/json',
      )
    await language('de-DE')
    await page.reload()
    await card('E-Mails der Instanz').getByText('Absender: second@example.org').waitFor()
    await row('ben@example.org').getByText('Speicher: 2,3 MB von 2,5 MB').waitFor()
    await card('Speicherlimit neuer Konten').waitFor()
    await card('Einladungen').getByText('zoe@example.org').waitFor()
    await language('en-GB')
    await page.reload()
    await card('Accounts').waitFor()
  })

  it('changes who may register', async () => {
    await owner.page
      .getByLabel('New accounts', { exact: true })
      .selectOption({ label: 'Only people with an invitation' })
    await owner.page.getByText('Registration saved').waitFor()
    const options = await fetch(`${service.url}/console/options`)
    expect(await options.json()).toMatchObject({ registration: 'invite' })
  })

  it('hands the instance over after the password', async () => {
    await act('Ben', 'Make owner…')
    await dialog().waitFor()
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await dialog().getByRole('button', { name: 'Make owner…' }).click()
    await owner.page.getByText('Ben is the owner now').waitFor()
    // The former owner is a member, so the page is gone.
    await owner.page.getByRole('link', { name: 'Accounts', exact: true }).waitFor({ state: 'detached' })
  })
})
