import { simpleParser } from 'mailparser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { accountBody, message, newAddress, openImapClient, withMailServers } from '../support/mail-servers.ts'
import { createSignedMail } from '../support/signed-mail.ts'
import { findAccessibilityIssues } from './faults.ts'
import { expectOpen, expectToast, giveFile, mailLink, mailRow, subjects } from './mailbox.ts'
import { createPng } from './pictures.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const HTML = `<html><head><style>.head { background: #0a6644; color: #fff }</style></head><body>
  <div class="head"><h1>Weekly offers</h1></div>
  <img src="https://tracker.example/pixel.png" width="300" height="80"></body></html>`

/** The part of a browser window that a test needs. */
interface StyledWindow {
  getComputedStyle(element: unknown): { backgroundColor: string }
}

withMailServers('with real mail servers', () => {
  withBrowser('console mail of a new mailbox', () => {
    let service: Service
    let browser: Browser
    let visitor: Visitor
    let page: Page
    let signed: ReturnType<typeof createSignedMail>
    const address = newAddress('ana')
    const other = newAddress('ben')

    /** Adds mail to a mailbox as its server received it. */
    const deliver = async (...raw: (string | Buffer)[]): Promise<void> => {
      const client = await openImapClient(address)
      for (const each of raw) await client.append('INBOX', each)
      await client.logout()
    }
    /** Returns the messages of a mailbox on the server. */
    const read = async (owner: string, folder: string) => {
      const client = await openImapClient(owner)
      const found = []
      const lock = await client.getMailboxLock(folder)
      try {
        for await (const { source } of client.fetch('1:*', { source: true }))
          found.push(await simpleParser(source ?? ''))
      } finally {
        lock.release()
      }
      await client.logout()
      return found
    }

    beforeAll(async () => {
      signed = createSignedMail()
      const headers = 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8'
      const first = { subject: 'Drawings', from: `Ben Okafor <${other}>`, messageId: `<one@${address}>` }
      await deliver(
        message({ ...first, body: 'The staircase is on sheet 3.' }),
        message({
          ...first,
          subject: 'Re: Drawings',
          messageId: `<two@${address}>`,
          headers: `In-Reply-To: <one@${address}>`,
          date: 'Mon, 02 Mar 2026 11:00:00 +0000',
          body: 'Shall we turn it?',
        }),
        message({ subject: 'Weekly offers', from: 'Shop <news@shop.example>', headers, body: HTML }),
        signed.signOpaque('ana'),
      )
      service = await startService()
      browser = await openBrowser()
      visitor = await visit(browser, service.url, {
        expected: [{ status: 401, path: /^\/api\/(auth\/refresh|events)$/ }],
      })
      page = visitor.page
      await signUp(visitor, '/mail')
      await page.evaluate(async (body) => {
        const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
        const { token } = (await refreshed.json()) as { token: string }
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
        await fetch('/api/settings/mail-accounts', { method: 'POST', headers, body: JSON.stringify(body) })
      }, accountBody(address))
      await mailRow(page, 'Re: Drawings').waitFor()
    })
    afterAll(async () => {
      await browser?.close()
      await service?.stop()
      signed?.remove()
    })

    it('shows HTML mail with its own styles and without remote images', async () => {
      await mailLink(page, 'Weekly offers').click()
      const heading = page.frameLocator('.message iframe').getByRole('heading', { name: 'Weekly offers' })
      await heading.waitFor()
      const color = await page
        .frameLocator('.message iframe')
        .locator('.head')
        .evaluate(
          (element) => (globalThis as unknown as StyledWindow).getComputedStyle(element).backgroundColor,
        )
      expect(color).toBe('rgb(10, 102, 68)')
      await page.getByRole('button', { name: 'Load images' }).waitFor()
      const sources = await page.frameLocator('.message iframe').locator('img[src^="http"]').count()
      expect(sources).toBe(0)
    })

    it('names the signature of signed mail', async () => {
      const subject = (await subjects(page)).find((each) => !/Drawings|offers/.test(each)) ?? ''
      await mailLink(page, subject).click()
      await page.getByRole('article').getByText('The price is 120 euros.').waitFor()
      await page.getByText('Valid signature, signer not verified').first().waitFor()
    })

    it('finds a conversation while typing, and archives it on the server', async () => {
      await page.getByRole('searchbox').fill('stairc')
      await expect.poll(() => page.locator('.mail-snippet mark').allInnerTexts()).toEqual(['staircase'])
      await page.getByRole('searchbox').fill('')
      await page.keyboard.press('Escape')
      await mailRow(page, 'Weekly offers').waitFor()
      await mailLink(page, 'Re: Drawings').click()
      await expectOpen(page, 'Re: Drawings')
      expect(await page.getByRole('article').count()).toBe(2)
      await page.keyboard.press('e')
      await expectToast(page, '“Re: Drawings” archived')
      await eventually(async () => (await read(address, 'Archive')).length === 2)
      expect((await read(address, 'INBOX')).map(({ subject }) => subject)).not.toContain('Drawings')
    })

    it('writes formatted mail with an image and a file to a person that it knows', async () => {
      await openPage(page, '/mail/inbox/new')
      await page.getByRole('combobox', { name: 'To' }).pressSequentially('oka')
      await page.getByRole('option').filter({ hasText: 'Ben Okafor' }).waitFor()
      await page.keyboard.press('Enter')
      expect(await page.locator('.recipient-name').allInnerTexts()).toEqual(['Ben Okafor'])
      await page.getByLabel('Subject').fill('New plan')
      await page.getByRole('textbox', { name: 'Text' }).click()
      await page.keyboard.press('Control+b')
      await page.keyboard.type('Important')
      await page.keyboard.press('Control+b')
      await giveFile(page, 'paste', 'chart.png', 'image/png', createPng(8, [200, 40, 40]))
      await page.getByRole('textbox', { name: 'Text' }).locator('img[alt="chart.png"]').waitFor()
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup and bread') })
      await page.getByRole('list', { name: 'Attached files' }).getByText('menu.txt').waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expectToast(page, '“New plan” sent')
      const received = await eventually(async () =>
        (await read(other, 'INBOX')).find(({ subject }) => subject === 'New plan'),
      )
      expect(received.html).toContain('<strong>Important</strong>')
      expect(received.text).toContain('Important')
      expect(received.attachments.map(({ filename }) => filename).toSorted()).toEqual([
        'chart.png',
        'menu.txt',
      ])
    })

    it('previews the file of an answer, and shows the person with all mail', async () => {
      const boundary = 'part'
      await deliver(
        message({
          subject: 'Re: New plan',
          from: `Ben Okafor <${other}>`,
          headers: `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=${boundary}`,
          body: [
            `--${boundary}\r\nContent-Type: text/plain\r\n\r\nSee the list.`,
            `--${boundary}\r\nContent-Type: text/plain; name=list.txt`,
            'Content-Disposition: attachment; filename=list.txt\r\n\r\nLamps and chairs',
            `--${boundary}--`,
          ].join('\r\n'),
        }),
      )
      await openPage(page, '/mail')
      await mailLink(page, 'Re: New plan').click()
      await page
        .getByRole('button', { name: /list\.txt/ })
        .first()
        .click()
      await page.getByRole('dialog', { name: 'list.txt' }).getByText('Lamps and chairs').waitFor()
      await page.keyboard.press('Escape')
      await openPage(page, '/contacts')
      await page.getByRole('link', { name: /Ben Okafor/ }).click()
      await page
        .getByRole('link', { name: /New plan/ })
        .first()
        .waitFor()
    })

    it('reads and answers on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await openPage(page, '/mail')
      await mailLink(page, 'Re: New plan').click()
      await expectOpen(page, 'Re: New plan')
      await page.getByRole('button', { name: 'Reply', exact: true }).click()
      await page.getByRole('textbox', { name: 'Text' }).waitFor()
      await page.keyboard.type('Fine.')
      expect(await pageWidth(page)).toBeLessThanOrEqual(390)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expectToast(page, '“Re: New plan” sent')
      await eventually(async () => (await read(other, 'INBOX')).length === 2)
    })

    it('causes no browser errors', () => {
      expect(visitor.browserErrors).toEqual([])
    })
  })
})
