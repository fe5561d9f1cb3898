import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSignedMail, PGP_MAIL, type SignedMail } from '../support/signed-mail.ts'
import { type ExternalSites, startExternalSites } from './elsewhere.ts'
import { findAccessibilityIssues, ON_TOP } from './faults.ts'
import { expectOpen, expectToast, type Mailbox, mailLink, openMailbox } from './mailbox.ts'
import { createPng } from './pictures.ts'
import { type Service, startService } from './service.ts'
import { openBrowser, openPage, pageWidth, signUp, type Visitor, visit, withBrowser } from './visitor.ts'

const htmlMail = (from: string, subject: string, html: string): string[] => [
  `From: ${from}`,
  'To: ana@example.org',
  `Subject: ${subject}`,
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  html,
]

withBrowser('console mail reading', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let mailbox: Mailbox
  let sites: ExternalSites
  let signed: SignedMail
  const frame = () => page.frameLocator('.message-frame')
  const mark = () => page.getByRole('region', { name: 'Signature and encryption' })
  const openRaw = async (raw: Buffer | string): Promise<void> => {
    const { id } = await mailbox.raw([typeof raw === 'string' ? raw : raw.toString('latin1')])
    await openPage(page, `/mail/inbox/${id}`)
  }

  beforeAll(async () => {
    signed = createSignedMail()
    sites = await startExternalSites(() => ({ type: 'image/png', body: createPng(40, [20, 120, 80]) }))
    service = await startService()
    browser = await openBrowser(...sites.flags)
    visitor = await visit(browser, service.url)
    page = visitor.page
    mailbox = openMailbox(service)
    await signUp(visitor, '/mail')
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    sites?.close()
    signed?.remove()
  })

  it('names the signature of an email with its certificate', async () => {
    await openRaw(signed.signOpaque('ana'))
    await page.getByRole('article').getByText('The price is 120 euros.').waitFor()
    await mark().getByText('Valid signature, signer not verified').waitFor()
    await mark().getByRole('button', { name: 'Details' }).click()
    const details = page.getByRole('dialog', { name: 'Valid signature, signer not verified' })
    await details.getByText('No known authority issued the certificate.').waitFor()
    await details.getByText('Test Mail CA').waitFor()
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Escape')
    const changed = signed.signDetached('ana').toString('latin1').replace('120', '920')
    await openRaw(changed)
    await mark().getByText('Signature does not match: the message was changed').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('names encrypted mail and downloads its file, also on a phone', async () => {
    await openRaw(PGP_MAIL.encrypted)
    await mark().getByText('Encrypted with OpenPGP').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const download = page.waitForEvent('download')
    await mark().getByRole('button', { name: 'Download encrypted.asc' }).click()
    expect((await download).suggestedFilename()).toBe('encrypted.asc')
    expect(await pageWidth(page)).toBe(390)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('marks the words of a search in HTML mail', async () => {
    await mailbox.raw(
      htmlMail('ben@example.org', 'Offer', '<p>The <b>lighthouse</b> offer</p><p>Lighthouse keepers</p>'),
    )
    await openPage(page, '/mail/inbox?q=lighthouse')
    await mailLink(page, 'Offer').click()
    await expectOpen(page, 'Offer')
    await frame().getByText('keepers').waitFor()
    const words = () =>
      page.evaluate(`(() => {
        const { CSS } = document.querySelector('.message-frame').contentWindow
        return [...(CSS.highlights.get('mail-search') ?? [])].map(String)
      })()`)
    await expect.poll(words).toEqual(['lighthouse', 'Lighthouse'])
    // Another theme writes the frame again.
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(words).toEqual(['lighthouse', 'Lighthouse'])
    await page.emulateMedia({ colorScheme: 'light' })
  })

  it('loads remote images once, always for a sender, or never', async () => {
    const send = (from: string, name: string) =>
      mailbox.raw(
        htmlMail(from, name, `<p>Hello</p><img alt="logo" src="https://img.example/${name}.png" width="40">`),
      )
    const { id: once } = await send('news@shop.example', 'one')
    const { id: always } = await send('news@shop.example', 'two')
    const { id: other } = await send('else@shop.example', 'three')
    const asked = (name: string): boolean => sites.asked.includes(`https://img.example/${name}.png`)
    const blocked = page.getByText('Remote images are blocked', { exact: false })

    await page.goto(`/mail/inbox/${once}`)
    await page.getByRole('button', { name: 'Load images' }).click()
    await expect.poll(() => asked('one')).toBe(true)
    await page.goto(`/mail/inbox/${always}`)
    await blocked.waitFor()
    expect(asked('two')).toBe(false)
    await page.getByRole('button', { name: 'Always load from this sender' }).click()
    await expectToast(page, 'news@shop.example')
    await expect.poll(() => asked('two')).toBe(true)
    sites.asked.length = 0
    await page.goto(`/mail/inbox/${once}`)
    await expect.poll(() => asked('one')).toBe(true)
    expect(await blocked.count()).toBe(0)

    await openPage(page, '/settings/mail-accounts')
    const form = page.getByRole('form', { name: 'Remote images' })
    await form.getByLabel('Load remote images').selectOption({ label: 'Never' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Preferences saved')
    sites.asked.length = 0
    for (const id of [once, other]) {
      await page.goto(`/mail/inbox/${id}`)
      await frame().getByText('Hello').waitFor()
      await frame().getByAltText('logo').waitFor()
      expect(await blocked.count()).toBe(0)
    }
    expect(sites.asked).toEqual([])
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
