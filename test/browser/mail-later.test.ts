import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { accountBody, message, newAddress, openImapClient, withMailServers } from '../support/mail-servers.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import { expectToast, mailLink, mailRow, subjects, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const SUBJECTS = ['Statement', 'Rehearsal', 'Invoice', 'Lunch']
const SECOND = 1_000

withMailServers('with real mail servers', () => {
  withBrowser('console mail for later', () => {
    let service: Service
    let browser: Browser
    let visitor: Visitor
    let page: Page
    const address = newAddress()
    const other = newAddress()

    /** Calls the API with the session of the page. */
    // biome-ignore lint/suspicious/noExplicitAny: the test knows the response
    const call = (method: string, path: string, body?: unknown): Promise<any> =>
      page.evaluate(
        async ([method, path, body]) => {
          const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
          const { token } = (await refreshed.json()) as { token: string }
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
          const response = await fetch(path as string, {
            method: method as string,
            headers,
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          return response.json()
        },
        [method, path, body],
      )
    const find = async (subject: string, query = '') =>
      (await call('GET', `/api/emails?limit=50${query}`)).emails.find(
        (email: { subject: string }) => email.subject === subject,
      )
    const soon = (seconds: number) => new Date(Date.now() + seconds * SECOND).toISOString()
    const list = () => subjects(page)

    beforeAll(async () => {
      const client = await openImapClient(address)
      for (const [index, subject] of SUBJECTS.entries())
        await client.append('INBOX', message({ subject, messageId: `later-${index}-${address}` }))
      await client.logout()
      service = await startService()
      browser = await openBrowser()
      visitor = await visit(browser, service.url, {
        expected: [{ status: 401, path: /^\/api\/(auth\/refresh|events)$/ }],
      })
      page = visitor.page
      await signUp(visitor, '/mail')
      await call('POST', '/api/settings/mail-accounts', accountBody(address))
      await eventually(async () => (await call('GET', '/api/threads?folder=inbox')).threads.length === 4)
      await page.goto('/mail')
      await mailRow(page, 'Lunch').waitFor()
    })
    afterAll(async () => {
      await browser?.close()
      await service?.stop()
    })

    it('snoozes with h and a typed time, and the mail server keeps the email in the inbox', async () => {
      await mailLink(page, 'Lunch').focus()
      await page.keyboard.press('h')
      const dialog = page.getByRole('dialog', { name: 'Snooze' })
      await dialog.getByLabel('Type a time').fill('tomorrow at 9')
      await dialog.getByText(/, 09:00|9:00 AM/).waitFor()
      expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
      await page.keyboard.press('Enter')
      await expectToast(page, /“Lunch” snoozed until tomorrow/)
      await expect.poll(async () => (await list()).includes('Lunch')).toBe(false)
      await page.getByRole('link', { name: /^Snoozed, 1 snoozed|^Snoozed/ }).click()
      await mailRow(page, 'Lunch')
        .getByText(/Snoozed until tomorrow/)
        .waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      const client = await openImapClient(address)
      const status = await client.status('INBOX', { messages: true })
      await client.logout()
      expect(status ? status.messages : null).toBe(4)
      // The same key ends the snooze.
      await mailLink(page, 'Lunch').focus()
      await page.keyboard.press('h')
      await expectToast(page, '“Lunch” is back in the inbox')
      await page.getByText('Nothing is snoozed').waitFor()
      await openPage(page, '/mail')
      await mailRow(page, 'Lunch').waitFor()
    })

    it('returns a conversation to the top with a notification', async () => {
      const { threadId } = await find('Statement')
      await call('PATCH', '/api/threads', {
        threadIds: [threadId],
        folder: 'inbox',
        change: { snoozedUntil: soon(3) },
      })
      await mailRow(page, 'Statement').getByText('Back from snooze').waitFor()
      expect((await list())[0]).toBe('Statement')
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await page.getByText('Back from snooze: Statement').waitFor()
      await page.keyboard.press('Escape')
    })

    it('pins conversations above all others with p', async () => {
      await mailLink(page, 'Invoice').focus()
      await page.keyboard.press('p')
      await page.getByText('Pinned', { exact: true }).first().waitFor()
      await expect.poll(async () => (await list())[0]).toBe('Invoice')
      await page.getByText('Everything else').waitFor()
      expect(await findAccessibilityIssues(page)).toEqual([])
      await page.keyboard.press('p')
      await page.getByText('Everything else').waitFor({ state: 'hidden' })
    })

    it('snoozes all selected conversations, and undoes that', async () => {
      for (const subject of ['Invoice', 'Rehearsal'])
        await mailRow(page, subject).getByRole('checkbox').check()
      await page
        .getByRole('toolbar', { name: 'Selected emails' })
        .getByRole('button', { name: 'Snooze' })
        .click()
      await page
        .getByRole('dialog', { name: 'Snooze' })
        .getByRole('button', { name: /^Tomorrow morning/ })
        .click()
      await expectToast(page, /2 emails snoozed until tomorrow/)
      await expect.poll(list).toEqual(['Statement', 'Lunch'])
      await undo(page, '2 emails snoozed')
      await expect.poll(async () => (await list()).length).toBe(4)
    })

    it('sends with a reminder that an answer cancels', async () => {
      await openPage(page, '/mail/inbox/new')
      await page.getByLabel('To', { exact: true }).fill(`${other},`)
      await page.getByLabel('Subject').fill('Proposal')
      await page.getByRole('button', { name: 'Remind me if nobody answers' }).click()
      const dialog = page.getByRole('dialog', { name: 'Remind me if nobody answers' })
      await dialog.getByRole('button', { name: /^In a week/ }).click()
      expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
      await dialog.getByRole('button', { name: 'Set reminder' }).click()
      await page.getByText(/^Reminder without an answer/).waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const sent = await eventually(async () => await find('Proposal', '&folder=sent'))
      expect(sent.followUpAt).not.toBeNull()
      await page.goto(`/mail/sent/${sent.id}`)
      await page.getByRole('button', { name: 'Remove reminder' }).waitFor()
      // Without an answer, the email returns to the inbox and stays in the sent folder.
      await call('PATCH', `/api/emails/${sent.id}`, { followUpAt: soon(3) })
      await openPage(page, '/mail')
      await mailRow(page, 'Proposal').getByText('No answer yet').waitFor()
      await mailLink(page, 'Proposal').focus()
      await page.keyboard.press('e')
      await expect.poll(async () => (await list()).includes('Proposal')).toBe(false)
      expect((await call('GET', `/api/emails/${sent.id}`)).folder).toBe('sent')
      // An answer cancels the next reminder.
      await call('PATCH', `/api/emails/${sent.id}`, { followUpAt: soon(3600) })
      const client = await openImapClient(address)
      await client.append(
        'INBOX',
        `From: ${other}\r\nTo: ${address}\r\nSubject: Re: Proposal\r\nMessage-ID: <answer-${address}>\r\nIn-Reply-To: <${sent.messageId}>\r\nDate: ${new Date().toUTCString()}\r\n\r\nYes.\r\n`,
      )
      await client.logout()
      await eventually(async () => (await call('GET', `/api/emails/${sent.id}`)).followUpAt === null)
    })

    it('archives by a swipe to the right and snoozes by one to the left on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await openPage(page, '/mail')
      await mailRow(page, 'Rehearsal').waitFor()
      const swipe = async (subject: string, distance: number) => {
        const { x = 0, y = 0 } = (await mailRow(page, subject).boundingBox()) ?? {}
        const send = (type: string, by: number) =>
          mailRow(page, subject).dispatchEvent(type, {
            pointerId: 1,
            pointerType: 'touch',
            clientX: x + 190 + by,
            clientY: y + 20,
          })
        await send('pointerdown', 0)
        await send('pointermove', distance / 2)
        await send('pointermove', distance)
        await send('pointerup', distance)
      }
      await swipe('Rehearsal', -150)
      const dialog = page.getByRole('dialog', { name: 'Snooze' })
      await dialog.waitFor()
      expect(await pageWidth(page)).toBe(390)
      expect(await findDarkModeIssues(page)).toEqual([])
      await dialog.getByRole('button', { name: /^Tomorrow morning/ }).click()
      await expectToast(page, /“Rehearsal” snoozed until tomorrow/)
      await expect.poll(async () => (await list()).includes('Rehearsal')).toBe(false)
      await swipe('Invoice', 150)
      await expectToast(page, '“Invoice” archived')
      expect(await findAccessibilityIssues(page)).toEqual([])
    })
  })
})
