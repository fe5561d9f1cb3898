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

  const VIEWPORT_HEIGHTS: readonly string[] = [
    '<!doctype html><div style="min-height:100vh;margin:20px">The end</div>',
    '<!doctype html><div style="height:100vh">Hero</div><p>The end</p>',
    '<!doctype html><div style="--tall:calc(1vh * 100);padding-top:var(--tall)">The end</div>',
    '<!doctype html><div style="min-height:100dvh">Hero</div><p>The end</p>',
    '<!doctype html><div style="height:120vmax">Hero</div><p>The end</p>',
    '<!doctype html><html style="height:100%"><body style="height:100%;margin:20px"><p>The end</p>',
    '<!doctype html><html style="min-height:calc(100% + 30px) !important"><body><p>The end</p>',
    '<!doctype html><p>The end</p><div style="position:absolute;top:0;height:130%">Side</div>',
    '<table height="100%"><tr><td>Old layout</td></tr></table><p>The end</p>',
    '<html style="height:100%"><body style="height:100%;margin:16px"><p>The end</p>',
  ]

  it('keeps the frame of mail that asks for the height of the window at its content', async () => {
    const settledHeight = (selector: string) =>
      page.evaluate(`new Promise((resolve) => {
        const frame = document.querySelector(${JSON.stringify(selector)})
        let frames = 30
        const step = () => (frames-- === 0 ? resolve(frame.clientHeight) : requestAnimationFrame(step))
        step()
      })`)
    for (const [index, html] of VIEWPORT_HEIGHTS.entries()) {
      const { id } = await mailbox.raw(htmlMail('ben@example.org', `Tall ${index}`, html))
      await openPage(page, `/mail/inbox/${id}`)
      await frame().getByText('The end').waitFor()
      const height = (await settledHeight('.message-frame')) as number
      expect([index, height < 1_600]).toEqual([index, true])
      expect([
        index,
        await page.evaluate(`(() => {
          const frame = document.querySelector('.message-frame')
          return frame.contentDocument.documentElement.scrollHeight <= frame.clientHeight
        })()`),
      ]).toEqual([index, true])
      await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
      await page.getByRole('button', { name: 'Show quoted email' }).click()
      const quote = page.frameLocator('.rich-text-quote iframe')
      await quote.getByText('The end').waitFor()
      const quoted = (await settledHeight('.rich-text-quote iframe')) as number
      expect([index, quoted < 1_600]).toEqual([index, true])
    }
  })

  it('stops growing a frame whose content grows along with it', async () => {
    // The height that no filter knows is set after the message was rendered.
    const { id } = await mailbox.raw(htmlMail('ben@example.org', 'Endless', '<!doctype html><p>Endless</p>'))
    await openPage(page, `/mail/inbox/${id}`)
    await frame().getByText('Endless').waitFor()
    const heights = await page.evaluate(`(async () => {
      const frame = document.querySelector('.message-frame')
      frame.contentDocument.querySelector('p').style.height = 'calc(100vh + 50px)'
      const wait = async (count) => {
        for (let at = 0; at < count; at++) await new Promise((done) => requestAnimationFrame(done))
        return frame.clientHeight
      }
      return [await wait(20), await wait(20)]
    })()`)
    const [first, second] = heights as number[]
    expect(second).toBe(first)
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})
