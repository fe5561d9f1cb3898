import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, PASSWORD, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const expectToast = (page: Page, text: string | RegExp) =>
  page.locator('.toast', { hasText: text }).first().waitFor()

withBrowser('console live updates', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let receiver: WebhookReceiver
  const post = (path: string, body: unknown) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser()
    receiver = await startReceiver()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await signUp(visitor, '/tasks')
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.close()
    await service?.stop()
  })

  const setLocale = async (locale: string) => {
    const { token } = (await (
      await post('/api/auth/login', { email: 'ana@example.org', password: PASSWORD })
    ).json()) as { token: string }
    const response = await fetch(`${service.url}/api/settings/preferences`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ locale }),
    })
    expect(response.status).toBe(200)
    await page.reload()
  }

  const menu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  it('shows changes of other clients without a reload', async () => {
    await page.locator('.live-sign[data-state="live"]').waitFor()
    await page.getByText('No tasks').waitFor()
    await post('/api/tasks', { title: 'Told by another program' })
    await page.getByRole('checkbox', { name: 'Done: Told by another program' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('adds a webhook, shows its secret once, and sends a test', async () => {
    await openPage(page, '/settings/webhooks')
    await page.getByText('No webhooks').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Name').fill('My automation')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await dialog.getByText('Select at least one.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Task created', exact: true }).check()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    const once = page.getByRole('dialog', { name: 'Webhook secret' })
    expect(await once.locator('code').textContent()).toMatch(/^whsec_/)
    await once.getByRole('button', { name: 'Copy' }).click()
    await once.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Task created', { exact: true }).waitFor()
    await menu('My automation', 'Send test')
    await expectToast(page, 'Test delivered')
    await expect.poll(() => receiver.received.map(({ body }) => body.type)).toEqual(['webhook.test'])
  })

  it('lists deliveries with attempts and bodies, and resends one', async () => {
    await post('/api/tasks', { title: 'Delivered' })
    await receiver.until(2)
    await menu('My automation', 'Deliveries')
    const dialog = page.getByRole('dialog', { name: 'Deliveries to “My automation”' })
    const row = dialog.getByRole('listitem').filter({ hasText: 'task.created' })
    await row.getByText('Delivered', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Details' }).click()
    await row.getByText(/204, \d+ ms/).waitFor()
    await row.getByText('"title":"Delivered"').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await row.getByRole('button', { name: 'Send again' }).click()
    await receiver.until(3)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids[2]).toBe(ids[1])
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  it('explains a failed test by its status, in the language of the account', async () => {
    receiver.answer(503)
    await menu('My automation', 'Send test')
    await expectToast(page, 'Test failed: The endpoint responded with 503.')
    receiver.answer(302)
    await menu('My automation', 'Send test')
    await expectToast(page, 'Test failed: The endpoint responded with a redirect, which is not followed.')
    await setLocale('de-DE')
    await page.getByRole('button', { name: 'Aktionen für My automation' }).click()
    await page.getByRole('menuitem', { name: 'Test senden' }).click()
    await expectToast(page, 'Test fehlgeschlagen: Der Endpunkt hat mit einer Weiterleitung geantwortet.')
    await setLocale('en-US')
    receiver.answer(204)
  })

  it('turns off and removes a webhook', async () => {
    await menu('My automation', 'Turn off')
    await expectToast(page, '“My automation” turned off')
    await menu('My automation', 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks').waitFor()
  })

  it('lists background jobs and deletes one', async () => {
    const { id } = (await (
      await post('/api/calendar/events', {
        title: 'Later',
        start: new Date(Date.now() + 86_400_000).toISOString(),
        reminders: [{ minutesBefore: 10 }],
      })
    ).json()) as { id: number }
    expect(id).toBeGreaterThan(0)
    await openPage(page, '/settings/jobs')
    await page.getByLabel('Status').selectOption('waiting')
    const row = page.getByRole('listitem').filter({ hasText: 'Waiting' }).first()
    await row.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await row.getByRole('button', { name: /^Delete/ }).click()
    await expectToast(page, 'Job deleted')
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
