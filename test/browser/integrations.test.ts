import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { takeScreenshots } from './screenshots.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

withBrowser('integration settings', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    visitor = await visit(browser, service.url)
    await signUp(visitor, '/settings/feed-tokens', {
      name: 'Ana',
      email: 'ana@example.org',
      locale: 'en-GB',
    })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const addWebhook = async (): Promise<void> => {
    const post = async (path: string, data: object, token = '') => {
      const answer = await fetch(`${service.url}/api${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== '' && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(data),
      })
      expect(answer.ok).toBe(true)
      return answer
    }
    const signedIn = await post('/auth/login', { email: 'ana@example.org', password: PASSWORD })
    const { token } = (await signedIn.json()) as { token: string }
    const events = ['task.created', 'email.received']
    await post('/settings/webhooks', { url: 'https://example.org/hook', name: 'n8n', events }, token)
  }

  it('create and revoke a private link in popovers that Escape closes', async () => {
    const { page } = visitor
    const opener = page.getByRole('button', { name: 'New private link' })
    const popover = page.getByRole('dialog', { name: 'New private link' })
    await opener.click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    await popover.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('New private link')
    await opener.click()
    await popover.getByLabel('Name').fill('Phone')
    await popover.getByRole('button', { name: 'Create link' }).click()
    const secret = page.getByRole('dialog', { name: 'Your private link' })
    const link = await secret.locator('code').innerText()
    expect(link).toContain(`${service.url}/api/calendar/feed.ics?token=`)
    expect((await fetch(link)).status).toBe(200)
    await secret.getByRole('button', { name: 'Copy' }).click()
    await secret.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke Phone' }).click()
    await page
      .getByRole('dialog', { name: 'Revoke “Phone”?' })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByText('No private links').waitFor()
    expect((await fetch(link)).status).toBe(401)
  })

  it('save a form only after a change, and undo a switch', async () => {
    const { page } = visitor
    await addWebhook()
    await openPage(page, '/settings/webhooks')
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for n8n' }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose('Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
    const save = dialog.getByRole('button', { name: 'Save' })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Name').fill('Automation')
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('false')
    await dialog.getByLabel('Name').fill('n8n')
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('checkbox', { name: 'Task due' }).check()
    await save.click()
    await page.locator('.toast', { hasText: 'Webhook saved' }).waitFor()
    await choose('Turn off')
    await page.getByText('Off', { exact: true }).waitFor()
    await page
      .locator('.toast', { hasText: '“n8n” turned off' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('On', { exact: true }).waitFor()
  })

  it('explain app passwords if this instance has no OAuth client', async () => {
    const { page } = visitor
    await openPage(page, '/settings/mail-accounts')
    const dialog = page.getByRole('dialog')
    const lookUp = async (address: string) => {
      await page.getByRole('button', { name: 'Add account' }).first().click()
      await dialog.getByLabel('Email address').fill(address)
      await dialog.getByRole('button', { name: 'Continue' }).click()
    }
    await lookUp('ana@gmail.com')
    await dialog.getByText('Do this at Gmail first:').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await takeScreenshots(page, 'app-password')
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.getByLabel('Email address').fill('ana@outlook.com')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText(/^Microsoft no longer accepts passwords from email apps\./).waitFor()
    expect(await dialog.getByRole('button', { name: /^Sign in with/ }).count()).toBe(0)
  })

  it('cause no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
