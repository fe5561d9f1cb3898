import { createServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCertificate, trustCertificate } from '../support/certificates.ts'
import { type Instance, startInstance } from '../support/instance.ts'
import { type ListMail, listMail } from '../support/list-mail.ts'
import { createLoopbackWorld } from '../support/loopback-world.ts'
import { storeMail } from '../support/meeting-mail.ts'
import { atRest, findFaults, findFaultsInDark, ON_TOP } from './faults.ts'
import { mailLink, opened, said, undo } from './mailbox.ts'
import { arrive, openBrowser, type Visitor, visit, widthOf, withBrowser } from './visitor.ts'

const consoleDirectory = fileURLToPath(new URL('../../web/dist', import.meta.url))
const HOST = 'lists.example'

/** Pictures for whoever wants to see them. */
const pictures = process.env.TEST_PICTURES
const show = async (page: Page, name: string): Promise<void> => {
  if (!pictures) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await atRest(page)
    await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

withBrowser('mailing lists in the console', () => {
  const world = createLoopbackWorld()
  let instance: Instance
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let port: number
  let told: string[]
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
    told = server.seen
    instance = await startInstance({
      environment: { TZ_DEFAULT: 'UTC' },
      deps: { outbound: world.client(), consoleDirectory },
    })
    const unsubscribe = (path: string) => `<https://${HOST}:${port}${path}>`
    for (const subject of ['First', 'Second', 'Third'])
      await put({ subject, listId: 'The Gazette <gazette.example>', unsubscribe: unsubscribe('/leave') })
    await put({ subject: 'Deals', listId: 'Deals <deals.example>', unsubscribe: unsubscribe('/broken') })
    await put({
      ...{ subject: 'Your account', listId: 'Trick <trick.example>', unsubscribe: unsubscribe('/leave') },
      ...{ from: 'PayPal <x@paypa1.example>' },
      text: 'Your account is suspended. Confirm your password at https://paypal.com.verify-now.example/ today.',
    })
    await instance.post('/api/emails', { from: 'ben@example.org', subject: 'Lunch', text: 'At noon?' })
    browser = await openBrowser()
    visitor = await visit(browser, instance.url, { expected: [{ status: 502, path: /unsubscribe$/ }] })
    page = visitor.page
    await arrive(visitor, '/mail')
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
    await world.end()
    endTrust?.()
  })

  const list = () => page.getByRole('region', { name: 'Mailing list', exact: true })
  const open = async (subject: string) => {
    await page.goto('/mail')
    await mailLink(page, subject).click()
    await opened(page, subject)
  }

  it('a mail of a list says so; any other does not', async () => {
    await open('Lunch')
    await page.getByRole('button', { name: 'Reply to ben@example.org' }).waitFor()
    expect(await list().count()).toBe(0)
    await open('Third')
    await list().getByText('From the mailing list The Gazette.').waitFor()
    await list().getByRole('button', { name: 'Unsubscribe' }).waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await findFaultsInDark(page)).toEqual([])
    await show(page, 'list-mail')
  })

  it('whoever unsubscribes is told first who hears of it, and can think again', async () => {
    await list().getByRole('button', { name: 'Unsubscribe' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Unsubscribe from The Gazette?' })
    await dialog.getByText(`${HOST}:${port} is asked to take you off the list`).waitFor()
    expect(await findFaults(page, ON_TOP)).toEqual([])
    expect(await findFaultsInDark(page)).toEqual([])
    await show(page, 'list-dialog')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(told).toEqual([])
  })

  it('once left, it says so, and all its mails can be put away and brought back', async () => {
    await list().getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click()
    await said(page, 'You have left The Gazette.')
    expect(told).toEqual(['POST /leave'])
    await list()
      .getByText(/You left it on/)
      .waitFor()
    expect(await list().getByRole('button', { name: 'Unsubscribe', exact: true }).count()).toBe(0)
    await page.locator('.toast').getByRole('button', { name: 'Archive its mails' }).click()
    await said(page, '3 e-mails of The Gazette: archived.')
    await expect.poll(() => mailLink(page, 'First').count()).toBe(0)
    await show(page, 'list-left')
    await undo(page, '3 e-mails of The Gazette: archived.')
    await said(page, 'The e-mails are back where they were.')
    await expect.poll(() => mailLink(page, 'First').count()).toBe(1)
  })

  it('where the server does not take it, that is said, and the page is offered', async () => {
    await open('Deals')
    await list().getByRole('button', { name: 'Unsubscribe' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Unsubscribe' }).click()
    await dialog.getByText('You are still on the list').waitFor()
    await show(page, 'list-failed')
    await dialog.getByRole('button', { name: `Open the page at ${HOST}:${port}` }).click()
    await page.getByRole('dialog').getByText('It opens in a new window').waitFor()
    const window = page.waitForEvent('popup')
    await page.getByRole('dialog').getByRole('button', { name: 'Open the page' }).click()
    await (await window).close()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('what may be phishing is not answered, and says why', async () => {
    await open('Your account')
    await list()
      .getByText(/only pretend to come from where it says/)
      .waitFor()
    expect(await list().getByRole('button', { name: 'Unsubscribe' }).count()).toBe(0)
  })

  it('all lists stand on a page, those that write most first', async () => {
    await page.goto('/mail')
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Lists' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mailing lists' }).waitFor()
    const rows = page.getByRole('region', { name: 'Your lists' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(3)
    await expect.poll(() => rows.nth(0).innerText()).toMatch(/The Gazette[\s\S]*3 mails[\s\S]*unread/)
    await rows
      .nth(0)
      .getByText(/You left it on/)
      .waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await findFaultsInDark(page)).toEqual([])
    await show(page, 'lists')
    await page.getByRole('button', { name: 'Unsubscribe from Trick' }).click()
    await page
      .getByRole('dialog')
      .getByText(/only pretend/)
      .waitFor()
    expect(await findFaults(page, ON_TOP)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('button', { name: 'Actions for Deals' }).click()
    await page.getByRole('menuitem', { name: 'Move all to the trash' }).click()
    await said(page, '1 e-mail of Deals: in the trash.')
  })

  it('fits on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 720 })
    for (const path of ['/mail/lists', '/mail/inbox/3']) {
      await page.goto(path)
      await page.getByText('The Gazette').first().waitFor()
      expect(await widthOf(page)).toBeLessThanOrEqual(360)
      await show(page, `list-phone-${path.includes('lists') ? 'all' : 'mail'}`)
    }
    expect(visitor.troubles).toEqual([])
  })
})
