import type { Page } from 'playwright-core'
import type { Service } from './service.ts'
import { TIMEOUT_MS } from './visitor.ts'

/** Creates emails through the HTTP API. */
export const openMailbox = (service: Service, token?: string) => {
  const post = async (type: string, body: string): Promise<{ id: number }> => {
    const response = await fetch(`${service.url}/api/emails`, {
      method: 'POST',
      headers: { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) },
      body,
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { id: number }
  }
  return {
    /** Stores a raw message (RFC 5322). */
    raw: (lines: readonly string[]) => post('message/rfc822', lines.join('\r\n')),
    put: (email: Record<string, unknown>) => post('application/json', JSON.stringify(email)),
  }
}

export type Mailbox = ReturnType<typeof openMailbox>

export const mailRow = (page: Page, subject: string) =>
  page.getByRole('list', { name: 'Emails' }).getByRole('listitem').filter({ hasText: subject })
export const mailLink = (page: Page, subject: string) => mailRow(page, subject).getByRole('link')
export const subjects = async (page: Page): Promise<string[]> => page.locator('.mail-subject').allInnerTexts()
export const expectOpen = (page: Page, subject: string) =>
  page.getByRole('heading', { level: 2, name: subject, exact: true }).waitFor()
export const expectToast = (page: Page, text: string | RegExp, timeout = TIMEOUT_MS) =>
  page.locator('.toast', { hasText: text }).first().waitFor({ timeout })
export const undo = (page: Page, text: string) =>
  page.locator('.toast', { hasText: text }).first().getByRole('button', { name: 'Undo' }).click()

/** Gives a file to the editor by the event of the browser, because a test cannot fill the clipboard with one. */
export const giveFile = (
  page: Page,
  kind: 'paste' | 'drop',
  name: string,
  type: string,
  content: Buffer,
): Promise<unknown> =>
  page.evaluate(`{
    const bytes = Uint8Array.from(atob('${content.toString('base64')}'), (character) => character.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], '${name}', { type: '${type}' }))
    const init = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data }
    const event = '${kind}' === 'paste' ? new ClipboardEvent('paste', init) : new DragEvent('drop', init)
    document.querySelector('.rich-text-content').dispatchEvent(event)
  }`)
