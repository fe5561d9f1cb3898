import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCaldavTokenProxy } from '../support/caldav-token-proxy.ts'
import { makeCalendar, newCalendarUser, withRadicale } from '../support/calendar-servers.ts'
import { startIssuer } from '../support/mail-issuer.ts'
import { mailServers, newAddress, withMailServers } from '../support/mail-servers.ts'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { expectToast } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const SECRET = 'hush'

const connectingTests = () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let caldav: Awaited<ReturnType<typeof startCaldavTokenProxy>>

  beforeAll(async () => {
    issuer = await startIssuer()
    caldav = await startCaldavTokenProxy()
    const { imap, submission } = mailServers()
    service = await startService({
      MAIL_OAUTH_GOOGLE_AUTH_URL: `${issuer.url}/authorize`,
      MAIL_OAUTH_GOOGLE_TOKEN_URL: `${issuer.url}/token`,
      MAIL_OAUTH_GOOGLE_IMAP: `imap+plain://127.0.0.1:${imap}`,
      MAIL_OAUTH_GOOGLE_SMTP: `smtp+plain://127.0.0.1:${submission}`,
      MAIL_OAUTH_GOOGLE_CALDAV_URL: caldav.url,
      MAIL_OAUTH_MICROSOFT_CLIENT_ID: '',
      OUTBOUND_ALLOW: '127.0.0.1',
    })
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/settings/mail-accounts')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    issuer?.close()
    caldav?.close()
  })

  const dialog = () => page.getByRole('dialog')
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  const field = (name: string, index = 0) => dialog().getByLabel(name, { exact: true }).nth(index)
  const openDialog = async () => {
    await openPage(page, '/settings/mail-accounts')
    await page.getByRole('button', { name: 'Add account' }).first().click()
    await button('Gmail').waitFor()
  }
  const fillServers = async (tls: string) => {
    const { imap, submission } = mailServers()
    for (const [index, port] of [imap, submission].entries()) {
      await field('Server', index).fill('127.0.0.1')
      await field('Port', index).fill(String(port))
      await field('Security', index).selectOption(tls)
    }
  }

  it('connects any other provider, and keeps the input after a refusal', async () => {
    const address = newAddress()
    await openDialog()
    await field('Email address').fill(address)
    await button('Other provider').click()
    expect(await field('Email address').inputValue()).toBe(address)
    await fillServers('none')
    await field('Password').fill('wrong password')
    await button('Test').click()
    await dialog().getByText('Incoming mail (IMAP): sign-in failed').waitFor()
    // The words of Dovecot, then the action that helps.
    await dialog()
      .getByText(/rejected this user name and password \(“.*failed.*”\)\. Check both\./)
      .first()
      .waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await button('Back').click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('address')
    await button('Other provider').click()
    expect(await field('Password').inputValue()).toBe('wrong password')
    expect(await field('Server', 1).inputValue()).toBe('127.0.0.1')
    expect(await field('Security', 1).inputValue()).toBe('none')
    await field('Password').fill(mailServers().password)
    await button('Test').click()
    await dialog().getByText('Incoming mail (IMAP): connected').waitFor()
    await button('Add account').click()
    await expectToast(page, `${address} added.`)
    await page.getByText('Synced', { exact: true }).waitFor()
  })

  it('shows the steps of a provider, with the keyboard and on a phone', async () => {
    await openDialog()
    await page.setViewportSize({ width: 390, height: 844 })
    await button('iCloud').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Connect iCloud' }).waitFor()
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('Connect iCloud')
    const steps = dialog().getByRole('listitem')
    expect(await steps.allInnerTexts()).toEqual([
      'Sign in to your Apple Account.',
      'Open “Sign-In and Security”, then “App-Specific Passwords”.',
      'Generate a password with the name “Factotum”.',
      'Copy the new password and enter it below.',
    ])
    expect(await steps.getByRole('link').getAttribute('href')).toBe(
      'https://account.apple.com/account/manage',
    )
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Sign in to your Apple Account.')
    await expect.poll(() => pageWidth(page)).toBe(390)
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('connects a bridge with its own certificate', async () => {
    await openDialog()
    await button('Proton Mail').click()
    await field('Email address').fill(newAddress())
    await field('Password from Bridge').fill(mailServers().password)
    await field('Certificate (PEM)').fill(mailServers().pem)
    await dialog().getByText('Server settings').click()
    expect(await field('Port').inputValue()).toBe('1143')
    await fillServers('starttls')
    await button('Test').click()
    await dialog().getByText('Incoming mail (IMAP): connected').waitFor()
    await dialog().getByText('Outgoing mail (SMTP): connected').waitFor()
  })

  it('names the missing client, which the owner enters with the redirect address', async () => {
    await openDialog()
    await button('Outlook, Microsoft 365').click()
    await dialog()
      .getByText(/^Calendars of Microsoft accounts are not available yet\./)
      .waitFor()
    expect(await button('Add account').count()).toBe(0)
    await dialog().getByRole('link', { name: 'Set up the sign-in with Microsoft' }).click()
    await page.getByRole('heading', { level: 1, name: 'Provider sign-in' }).waitFor()
    const form = page.getByRole('form', { name: 'Google' })
    await page.getByRole('button', { name: 'Copy' }).first().click()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).toBe(`${service.url}/api/settings/mail-accounts/oauth/callback`)
    await form.getByLabel('Client ID').fill('client-id')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Client secret is required.').waitFor()
    await form.getByLabel('Client secret', { exact: true }).fill(SECRET)
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Sign-in with Google saved')
    await page.reload()
    await form.getByLabel('New client secret', { exact: true }).waitFor()
    expect(await form.getByLabel('New client secret', { exact: true }).inputValue()).toBe('')
    expect(await form.getByLabel('Client ID').inputValue()).toBe('client-id')
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('signs in with Google and connects its calendars', async () => {
    const user = newCalendarUser('google')
    caldav.addUser(user)
    await makeCalendar(user, 'home', { name: 'Home' })
    issuer.state.email = user.username
    await openDialog()
    await button('Gmail').click()
    await dialog().getByText('You sign in at Google.').waitFor()
    await dialog().getByLabel('Also connect my Google calendars').check()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await button('Sign in with Google').click()
    await expectToast(page, 'Account connected.')
    await openPage(page, '/settings/calendar-accounts')
    const row = page.locator('.account-row', { hasText: user.username })
    await row.getByText('Synced', { exact: true }).waitFor()
    await row.getByLabel('Home').waitFor()

    issuer.state.hasConsent = false
    for (const token of caldav.state.accepted) caldav.state.revoked.add(token)
    await row.getByRole('button', { name: `Refresh ${user.username}` }).click()
    // A reload is faster than the next poll of the page.
    await expect
      .poll(
        async () => {
          await page.reload()
          await row.waitFor()
          return row.getByText('Signed out', { exact: true }).count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    expect(await findAccessibilityIssues(page)).toEqual([])
    issuer.state.hasConsent = true
    await row.getByRole('button', { name: 'Sign in with Google' }).click()
    await expectToast(page, 'Account connected.')
    await openPage(page, '/settings/calendar-accounts')
    await row.getByText('Synced', { exact: true }).waitFor()
    expect(visitor.browserErrors).toEqual([])
  })
}

withBrowser('connecting a mail account', () => withMailServers('', () => withRadicale('', connectingTests)))
