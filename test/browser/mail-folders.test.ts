import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { accountBody, message, newAddress, openImapClient, withMailServers } from '../support/mail-servers.ts'
import { expectToast, mailLink, subjects, undo } from './mailbox.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

withMailServers('with real mail servers', () => {
  withBrowser('console mail folders', () => {
    let service: Service
    let browser: Browser
    let visitor: Visitor
    let page: Page
    const address = newAddress()
    beforeAll(async () => {
      const client = await openImapClient(address)
      for (const subject of ['Invoice 7', 'Casino']) await client.append('INBOX', message({ subject }))
      await client.mailboxCreate('Kunden.Größe')
      await client.logout()
      service = await startService()
      browser = await openBrowser()
      visitor = await visit(browser, service.url, {
        expected: [{ status: 401, path: /^\/api\/(auth\/refresh|events)$/ }],
      })
      page = visitor.page
      await page.setViewportSize({ width: 1400, height: 900 })
      await signUp(visitor, '/mail')
      const add = page.waitForResponse((response) => response.url().includes('/api/folders'))
      await page.evaluate(async (body) => {
        const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
        const { token } = (await refreshed.json()) as { token: string }
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
        await fetch('/api/settings/mail-accounts', { method: 'POST', headers, body: JSON.stringify(body) })
      }, accountBody(address))
      await add
      await eventually(async () => {
        await page.reload()
        const tree = page.getByRole('navigation', { name: 'Account folders' })
        return tree.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        )
      })
    })
    afterAll(async () => {
      await browser?.close()
      await service?.stop()
    })

    const requestSync = (): Promise<void> =>
      page.evaluate(async () => {
        const refreshed = await fetch('/api/auth/refresh', { method: 'POST' })
        const { token } = (await refreshed.json()) as { token: string }
        const headers = { authorization: `Bearer ${token}` }
        const { mailAccounts } = (await (await fetch('/api/settings/mail-accounts', { headers })).json()) as {
          mailAccounts: { id: string }[]
        }
        await fetch(`/api/settings/mail-accounts/${mailAccounts[0]?.id}/sync`, { method: 'POST', headers })
      })

    /** The views over all accounts. With one account, they stand for its special folders. */
    const views = () => page.getByRole('navigation', { name: 'Folders', exact: true })

    it('creates a folder, moves an email there with v, and reports spam', async () => {
      const tree = page.getByRole('navigation', { name: 'Account folders' })
      await tree.getByText('Größe', { exact: true }).waitFor()
      await tree.getByRole('button', { name: `Actions for ${address}` }).click()
      await page.getByRole('menuitem', { name: 'New folder' }).click()
      await page.getByLabel('Folder name').fill('Rechnungen')
      await page.getByRole('button', { name: 'Create' }).click()
      await tree.getByRole('link', { name: 'Rechnungen' }).waitFor()
      await mailLink(page, 'Invoice 7').click()
      await page.keyboard.press('v')
      await page.getByRole('combobox', { name: 'Find folder' }).fill('rech')
      await page.keyboard.press('Enter')
      await expectToast(page, '“Invoice 7” moved to Rechnungen')
      await tree.getByRole('link', { name: 'Rechnungen' }).click()
      await eventually(async () => (await subjects(page)).join() === 'Invoice 7')
      await views().getByRole('link', { name: 'Inbox' }).click()
      await mailLink(page, 'Casino').click()
      await page.keyboard.press('!')
      await expectToast(page, '“Casino” marked as spam')
      await views().getByRole('link', { name: 'Spam' }).click()
      await eventually(async () => (await subjects(page)).join() === 'Casino')
    })

    it('moves a conversation by dragging it, undoes that, and finds spam that is none', async () => {
      const tree = page.getByRole('navigation', { name: 'Account folders' })
      await tree.getByRole('link', { name: 'Rechnungen' }).click()
      await mailLink(page, 'Invoice 7').dragTo(tree.getByRole('link', { name: 'Größe' }))
      await expectToast(page, '“Invoice 7” moved to Größe')
      await eventually(async () => (await subjects(page)).length === 0)
      await undo(page, '“Invoice 7” moved to Größe')
      await expectToast(page, '“Invoice 7” restored')
      await eventually(async () => (await subjects(page)).join() === 'Invoice 7')
      await page.goto(`${service.url}/mail/inbox?q=in%3Aspam`)
      await mailLink(page, 'Casino').click()
      await page.keyboard.press('!')
      await expectToast(page, '“Casino” moved to inbox')
      await views().getByRole('link', { name: 'Inbox' }).click()
      await eventually(async () => (await subjects(page)).join() === 'Casino')
    })

    it('drags all selected conversations onto a folder', async () => {
      const tree = page.getByRole('navigation', { name: 'Account folders' })
      await views().getByRole('link', { name: 'Inbox' }).click()
      const client = await openImapClient(address)
      for (const subject of ['Offer A', 'Offer B']) await client.append('INBOX', message({ subject }))
      await client.logout()
      await eventually(async () => (await subjects(page)).length === 3)
      for (const subject of ['Offer A', 'Offer B'])
        await page.getByRole('checkbox', { name: new RegExp(subject) }).check()
      await mailLink(page, 'Offer A').dragTo(tree.getByRole('link', { name: 'Größe' }))
      await expectToast(page, '2 emails moved to Größe')
      await eventually(async () => (await subjects(page)).join() === 'Casino')
      // The views accept dragged conversations too.
      await mailLink(page, 'Casino').dragTo(views().getByRole('link', { name: 'Archive' }))
      await expectToast(page, '“Casino” archived')
      await undo(page, '“Casino” archived')
      await eventually(async () => (await subjects(page)).join() === 'Casino')
      // A row outside the selection moves alone.
      await tree.getByRole('link', { name: 'Größe' }).click()
      await eventually(async () => (await subjects(page)).length === 2)
    })

    it('moves a folder below another one and back', async () => {
      const tree = page.getByRole('navigation', { name: 'Account folders' })
      const move = async (label: string): Promise<void> => {
        await tree.getByRole('button', { name: 'Actions for Größe' }).click()
        await page.getByRole('menuitem', { name: 'Move folder' }).click()
        const dialog = page.getByRole('dialog', { name: 'Move folder “Größe”' })
        const options = await dialog.getByLabel('Move into').locator('option').allInnerTexts()
        expect(options).not.toContain('Kunden.Größe')
        await dialog.getByLabel('Move into').selectOption({ label })
        await dialog.getByRole('button', { name: 'Move' }).click()
      }
      await move('Rechnungen')
      await tree.getByRole('button', { name: 'Subfolders of Rechnungen' }).waitFor()
      // The emails move with their folder.
      await tree.getByRole('link', { name: 'Größe' }).click()
      await eventually(async () => (await subjects(page)).length === 2)
      await move('Top level')
      await eventually(async () => {
        const client = await openImapClient(address)
        const paths = (await client.list()).map(({ path }) => path)
        await client.logout()
        return paths.includes('Größe')
      })
    })

    it('opens the folders as a dialog on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('button', { name: 'Folders' }).click()
      await page.getByRole('dialog', { name: 'Account folders' }).waitFor()
      expect(await page.getByRole('dialog').getByRole('link', { name: 'Rechnungen' }).count()).toBe(1)
    })

    it('shows a copy in both folders, and archives only the one in the open folder', async () => {
      const client = await openImapClient(address)
      await client.mailboxCreate('Copies')
      await client.append('INBOX', message({ subject: 'In two folders' }))
      await client.append('Copies', message({ subject: 'Only there' }))
      await client.mailboxOpen('INBOX')
      const [uid] = (await client.search({ subject: 'In two folders' }, { uid: true })) || []
      await client.messageCopy(String(uid), 'Copies', { uid: true })
      await requestSync()
      const tree = page.getByRole('navigation', { name: 'Account folders' })
      await tree.getByRole('link', { name: 'Copies' }).click()
      await eventually(async () => (await subjects(page)).includes('In two folders'))
      await mailLink(page, 'In two folders').click()
      await page.keyboard.press('e')
      await expectToast(page, '“In two folders” archived')
      await eventually(async () => (await subjects(page)).join() === 'Only there')
      await views().getByRole('link', { name: 'Inbox' }).click()
      await eventually(async () => (await subjects(page)).includes('In two folders'))
      await eventually(async () => {
        const { messages = 0 } = (await client.status('Archive', { messages: true })) || {}
        return messages === 1
      })
      await mailLink(page, 'In two folders').click()
      await page.keyboard.press('#')
      await expectToast(page, '“In two folders” moved to trash')
      await eventually(async () => !(await subjects(page)).includes('In two folders'))
      await views().getByRole('link', { name: 'Archive' }).click()
      await eventually(async () => (await subjects(page)).includes('In two folders'))
      await client.logout()
    })
  })
})
