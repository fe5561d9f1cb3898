import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCertificate, trustCertificate } from '../support/certificates.ts'
import { type Instance, startInstance } from '../support/instance.ts'
import { type ListMail, listMail } from '../support/list-mail.ts'
import { createLoopbackWorld } from '../support/loopback-world.ts'
import { storeMail } from '../support/meeting-mail.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { expectOpen, expectToast, mailLink, undo } from './mailbox.ts'
import { takeScreenshots } from './screenshots.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))
const HOST = 'lists.example'

withBrowser('console subscriptions', () => {
  const world = createLoopbackWorld()
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let port: number
  let requests: string[]
  let endTrust: () => void

  const put = (mail: ListMail): Promise<number> =>
    storeMail(instance, listMail({ date: instance.clock.now(), ...mail }))

  beforeAll(async () => {
    const pair = makeCertificate(HOST)
    endTrust = trustCertificate(pair.cert)
    const server = await world.listen(
      createServer(pair, (request, response) =>
        response.writeHead(request.url === '/broken' ? 500 : 200).end(),
      ),
    )
    port = server.port
    requests = server.seen
    instance = await startInstance({
      environment: { TZ_DEFAULT: 'UTC' },
      deps: { outbound: world.client(), consoleDirectory },
    })
    const unsubscribe = (path: string) => `<https://${HOST}:${port}${path}>`
    for (const subject of ['First', 'Second', 'Third'])
      await put({ subject, listId: 'The Gazette <gazette.example>', unsubscribe: unsubscribe('/leave') })
    await put({ subject: 'Deals', listId: 'Deals <deals.example>', unsubscribe: unsubscribe('/broken') })
    await put({
      subject: 'Your account',
      listId: 'Trick <trick.example>',
      unsubscribe: unsubscribe('/leave'),
      from: 'PayPal <x@paypa1.example>',
      text: 'Your account is suspended. Confirm your password at https://paypal.com.verify-now.example/ today.',
    })
    await instance.post('/api/emails', { from: 'ben@example.org', subject: 'Lunch', text: 'At noon?' })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url, { expected: [{ status: 502, path: /unsubscribe$/ }] })
    page = visitor.page
    await signUp(visitor, '/mail')
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
    await world.end()
    endTrust?.()
  })

  const list = () => page.getByRole('region', { name: 'Subscription', exact: true })
  const open = async (subject: string) => {
    await openPage(page, '/mail')
    await mailLink(page, subject).click()
    await expectOpen(page, subject)
  }

  it('labels only mail of mailing lists', async () => {
    await open('Lunch')
    await page.getByRole('button', { name: 'Reply to ben@example.org' }).waitFor()
    expect(await list().count()).toBe(0)
    await open('Third')
    await list().getByText('Subscription: The Gazette').waitFor()
    await list().getByRole('button', { name: 'Unsubscribe' }).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await takeScreenshots(page, 'list-mail')
  })

  it('shows who will receive the request before unsubscribing, and can be cancelled', async () => {
    await list().getByRole('button', { name: 'Unsubscribe' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Unsubscribe from The Gazette?' })
    await dialog.getByText(`Sends an unsubscribe request to ${HOST}:${port}.`).waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await takeScreenshots(page, 'list-dialog')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(requests).toEqual([])
  })

  it('confirms the unsubscription, and archives all mail of the list with undo', async () => {
    await list().getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click()
    await expectToast(page, 'Unsubscribed from The Gazette')
    expect(requests).toEqual(['POST /leave'])
    await list()
      .getByText(/Unsubscribed on/)
      .waitFor()
    expect(await list().getByRole('button', { name: 'Unsubscribe', exact: true }).count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: 'Archive all emails' }).click()
    await expectToast(page, '3 emails from The Gazette archived')
    await expect.poll(() => mailLink(page, 'First').count()).toBe(0)
    await takeScreenshots(page, 'list-left')
    await undo(page, '3 emails from The Gazette archived')
    await expectToast(page, 'Emails moved back')
    await expect.poll(() => mailLink(page, 'First').count()).toBe(1)
  })

  it('reports a failed request and offers the web page', async () => {
    await open('Deals')
    await list().getByRole('button', { name: 'Unsubscribe' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Unsubscribe' }).click()
    await dialog.getByText('You are still subscribed').waitFor()
    await takeScreenshots(page, 'list-failed')
    await dialog.getByRole('button', { name: `Open the page at ${HOST}:${port}` }).click()
    await page.getByRole('dialog').getByText('in a new tab').waitFor()
    const window = page.waitForEvent('popup')
    await page.getByRole('dialog').getByRole('button', { name: 'Open page' }).click()
    await (await window).close()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('does not offer to unsubscribe from phishing mail', async () => {
    await open('Your account')
    await list()
      .getByText(/sender of this email may be forged/)
      .waitFor()
    expect(await list().getByRole('button', { name: 'Unsubscribe' }).count()).toBe(0)
  })

  it('lists all mailing lists, most active first', async () => {
    await openPage(page, '/mail')
    await page
      .getByRole('navigation', { name: 'Folders' })
      .getByRole('link', { name: 'Subscriptions' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor()
    const rows = page.getByRole('region', { name: 'Your subscriptions' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(3)
    await expect.poll(() => rows.nth(0).innerText()).toMatch(/The Gazette[\s\S]*3 emails[\s\S]*unread/)
    await rows
      .nth(0)
      .getByText(/Unsubscribed on/)
      .waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await takeScreenshots(page, 'lists')
    await page.getByRole('button', { name: 'Unsubscribe from Trick' }).click()
    await page
      .getByRole('dialog')
      .getByText(/may be forged/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('button', { name: 'Actions for Deals' }).click()
    await page.getByRole('menuitem', { name: 'Move all to trash' }).click()
    await expectToast(page, '1 email from Deals moved to trash')
  })

  it('fits a phone screen', async () => {
    await page.setViewportSize({ width: 360, height: 720 })
    for (const path of ['/mail/lists', '/mail/inbox/3']) {
      await openPage(page, path)
      await page.getByText('The Gazette').first().waitFor()
      expect(await pageWidth(page)).toBeLessThanOrEqual(360)
      await takeScreenshots(page, `list-phone-${path.includes('lists') ? 'all' : 'mail'}`)
    }
    expect(visitor.browserErrors).toEqual([])
  })
})
