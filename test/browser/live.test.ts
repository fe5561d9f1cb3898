import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

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

  const menu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  it('shows changes of other clients without a reload', async () => {
    await page.locator('.live-sign[data-state="live"]').waitFor()
    await page.getByText('Nothing to do').waitFor()
    await post('/api/tasks', { title: 'Told by another program' })
    await page.getByRole('checkbox', { name: 'Done: Told by another program' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('adds a webhook, shows its secret once, and sends a test', async () => {
    await page.goto('/settings/webhooks')
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Name').fill('My automation')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await dialog.getByText('Choose at least one.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Tasks created' }).check()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    const once = page.getByRole('dialog', { name: 'The webhook’s secret' })
    expect(await once.locator('code').textContent()).toMatch(/^whsec_/)
    await once.getByRole('button', { name: 'Copy' }).click()
    await once.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Tasks: created').waitFor()
    await menu('My automation', 'Send a test')
    await expectToast(page, 'The test arrived.')
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

  it('turns off and removes a webhook', async () => {
    await menu('My automation', 'Turn off')
    await expectToast(page, 'The webhook is off.')
    await menu('My automation', 'Remove')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No webhooks yet').waitFor()
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
    await page.goto('/settings/jobs')
    await page.getByLabel('Show').selectOption('waiting')
    const row = page.getByRole('listitem').filter({ hasText: 'Waiting' }).first()
    await row.waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await row.getByRole('button', { name: /Give up/ }).click()
    await expectToast(page, 'The job is given up.')
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
