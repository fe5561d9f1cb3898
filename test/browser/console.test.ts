import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OUTER_ADDRESS } from '../support/outer-address.ts'
import { scaled } from '../support/scale.ts'
import { createPng } from './pictures.ts'
import { type Service, startService } from './service.ts'
import { type SlowProxy, startSlowProxy } from './slow-line.ts'
import {
  browserPath,
  navigate,
  openBrowser,
  openPage,
  PASSWORD,
  pathOf,
  register,
  signOut,
  signUp,
  type Visitor,
  visit,
  withBrowser,
} from './visitor.ts'

const STEP_MS = 30_000
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const expectToast = (page: Page, text: string | RegExp) =>
  page.locator('.toast', { hasText: text }).first().waitFor()
const zoneOffer = (page: Page) => page.getByRole('region', { name: 'Time zone' })
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Your name' })
const saveIn = (page: Page, form: string) =>
  page.getByRole('form', { name: form, exact: true }).getByRole('button', { name: 'Save', exact: true })
const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Your password' })
const TOKEN_MS = 2_000
/** Waits until all access tokens have expired. */
const waitForTokenExpiry = () => new Promise((resolve) => setTimeout(resolve, TOKEN_MS))
const OWN_NAME = 'desk.test'

/** Shared by the whole file. Each describe block has its own instance. */
let browser: Browser
beforeAll(async () => {
  if (browserPath) browser = await openBrowser(`--host-resolver-rules=MAP ${OWN_NAME} 127.0.0.1`)
})
afterAll(() => browser?.close())

withBrowser('console account and settings', () => {
  let service: Service
  let visitor: Visitor
  let page: Page
  let secret = ''
  let backupCode = ''
  let exported: Buffer

  beforeAll(async () => {
    service = await startService()
    // Something to store, which the first registration takes over. Storage is measured once an hour.
    await fetch(`${service.url}/api/attachments?filename=notes.bin`, {
      method: 'POST',
      body: Buffer.alloc(200_000, 7),
      headers: { 'content-type': 'application/octet-stream' },
    })
    visitor = await visit(browser, service.url, {
      expected: [
        { status: 415, path: /avatar$/ },
        { status: 400, path: /preferences$/ },
        { status: 401, path: /login$/ },
        { status: 409, path: /account$/ },
        { status: 400, path: /import$/ },
      ],
    })
    page = visitor.page
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
  })

  it('creates the owner account first', async () => {
    await page.goto('/')
    await page
      .getByText('Create the first account before you connect an agent. It owns this instance.')
      .waitFor()
    expect(pathOf(page)).toBe('/register')
    await nameField(page).fill('Ana')
    await page.getByLabel('Email').fill('ana@example.org')
    await button(page, 'Create account').click()
    const password = page.getByLabel('Password', { exact: true })
    await page.getByText('Password is required.').waitFor()
    await expect.poll(() => password.evaluate('document.activeElement.name')).toBe('password')
    await password.fill(PASSWORD)
    await button(page, 'Create account').click()
    await heading(page, /, Ana$/).waitFor()
    expect(pathOf(page)).toBe('/')
  })

  it('uses the timezone and locale of the browser for a new account', async () => {
    // The format follows the locale: 24 hours in Britain.
    await page.getByText(/ · \d\d:\d\d in Berlin$/).waitFor()
    expect(await zoneOffer(page).count()).toBe(0)
  })

  it('offers the browser timezone once when it differs, and undoes the change', async () => {
    // Uses fetch: with the cookies of the browser, the logout would end its session.
    let token = ''
    const send = async (method: string, path: string, body?: unknown) => {
      const headers = {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      }
      const answer = await fetch(`${service.url}/api${path}`, {
        method,
        headers: body === undefined ? { authorization: headers.authorization ?? '' } : headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      expect(answer.ok).toBe(true)
      return answer
    }
    const signedIn = await send('POST', '/auth/login', { email: 'ana@example.org', password: PASSWORD })
    token = ((await signedIn.json()) as { token: string }).token
    const setZone = async (timezone: string) => {
      await send('PATCH', '/settings/preferences', { timezone })
      await page.reload()
      await page.getByText(new RegExp(` in ${timezone.split('/').at(-1)}$`)).waitFor()
    }
    await setZone('Asia/Tokyo')
    await button(page, 'Use Berlin').click()
    await expectToast(page, 'Time zone changed to Berlin')
    await page.getByText(/ in Berlin$/).waitFor()
    await expect.poll(() => zoneOffer(page).count()).toBe(0)
    await button(page, 'Undo').click()
    await page.getByText(/ in Tokyo$/).waitFor()
    // Undo and “Keep” both mean that the offer must not appear again.
    await setZone('Asia/Kolkata')
    expect(await zoneOffer(page).count()).toBe(0)
    await setZone('Europe/Berlin')
    await setZone('Asia/Tokyo')
    await zoneOffer(page).getByText('Your device is set to Berlin, Factotum to Tokyo.').waitFor()
    await button(page, 'Keep Tokyo').click()
    await expect.poll(() => zoneOffer(page).count()).toBe(0)
    await page.reload()
    await page.getByText(/ in Tokyo$/).waitFor()
    expect(await zoneOffer(page).count()).toBe(0)
    await setZone('Europe/Berlin')
    await send('POST', '/auth/logout')
  })

  it('shows the day of an all-day event in its own timezone', async () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(new Date())
    // The day starts 14 hours before UTC, on the previous day in Berlin.
    const made = await visitor.context.request.post('/api/calendar/events', {
      data: { title: 'Line Islands Day', start: day, allDay: true, timezone: 'Pacific/Kiritimati' },
    })
    expect(made.status()).toBe(201)
    await page.reload()
    await page
      .getByRole('region', { name: 'All day' })
      .getByRole('link', { name: 'Line Islands Day' })
      .waitFor()
    const { id } = (await made.json()) as { id: number }
    await visitor.context.request.delete(`/api/calendar/events/${id}`)
  })

  it('saves a new name and shows it everywhere', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: /^Profile/ }).click()
    await nameField(page).fill('Ana Ruiz')
    await saveIn(page, 'Name').click()
    await expectToast(page, 'Name saved')
    await button(page, 'Account: Ana Ruiz').waitFor()
    await page.reload()
    await expect.poll(() => nameField(page).inputValue()).toBe('Ana Ruiz')
  })

  it('uploads a profile picture and rejects other files', async () => {
    const chooser = page.locator('input[type=file]')
    await chooser.setInputFiles({
      name: 'x.png',
      mimeType: 'image/png',
      buffer: Buffer.from('no picture at all'),
    })
    await page.getByText('This file is not a PNG, JPEG or WebP picture.').waitFor()
    await chooser.setInputFiles({ name: 'x.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await page.getByText('Choose a PNG, JPEG or WebP picture.').waitFor()
    await chooser.setInputFiles({
      name: 'ana.png',
      mimeType: 'image/png',
      buffer: createPng(64, [23, 96, 124]),
    })
    await expectToast(page, 'Picture saved')
    await page.reload()
    const picture = page.getByRole('button', { name: 'Account: Ana Ruiz' }).locator('img')
    await picture.waitFor()
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(64)
  })

  it('finds a timezone by typing and saves it', async () => {
    await openPage(page, '/settings/preferences')
    await page.getByRole('combobox', { name: 'Time zone' }).click()
    await page.keyboard.type('auckland')
    await page.getByRole('option', { name: /Pacific \/ Auckland/ }).waitFor()
    await page.keyboard.press('Enter')
    await saveIn(page, 'Language and time').click()
    await expectToast(page, 'Preferences saved')
    await page.reload()
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue())
      .toBe('Pacific / Auckland')
    // The user chose the timezone here, so no offer must appear.
    expect(await zoneOffer(page).count()).toBe(0)
  })

  it('saves several working hours per day and reports overlaps', async () => {
    await button(page, 'Add hours on Monday').click()
    const time = (name: string) => page.getByRole('textbox', { name, exact: true }).nth(1)
    const [from, to] = [time('Start on Monday'), time('End on Monday')]
    await from.fill('16:30')
    await to.fill('19:00')
    await saveIn(page, 'Working hours').click()
    await page.getByText(/overlaps other working hours of that day\.$/).waitFor()
    await expect.poll(() => from.getAttribute('aria-invalid')).toBe('true')
    await from.fill('18:00')
    await saveIn(page, 'Working hours').click()
    await expectToast(page, 'Working hours saved')
    await page.reload()
    await expect.poll(() => from.inputValue()).toBe('18:00')
  })

  it('turns on two-factor authentication with an app code', async () => {
    await openPage(page, '/settings/security')
    await button(page, 'Set up two-factor authentication').click()
    await passwordField(page).fill(PASSWORD)
    await button(page, 'Continue').click()
    const dialog = page.getByRole('dialog', { name: 'Connect your app' })
    await dialog.getByAltText('QR code for your authenticator app').waitFor()
    secret = (await dialog.locator('.secret code').innerText()).replace(/\s/g, '')
    await dialog.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await button(page, 'Turn on').click()
    const codes = page.getByRole('dialog', { name: 'Save your backup codes' })
    await codes.waitFor()
    await expect.poll(() => codes.getByRole('listitem').count()).toBe(10)
    await page.keyboard.press('Escape')
    await codes.getByText('You have not copied this yet').waitFor()
    const download = page.waitForEvent('download')
    await button(page, 'Download').click()
    const saved = readFileSync(await (await download).path(), 'utf8')
    backupCode = await codes.getByRole('listitem').first().innerText()
    expect(saved).toContain(backupCode)
    await button(page, 'Done').click()
    await page
      .getByRole('region', { name: 'Two-factor authentication' })
      .getByText('10 backup codes left')
      .waitFor()
  })

  it('asks for the code at the next sign-in and returns to the requested page', async () => {
    await signOut(page)
    await page.goto('/settings/tokens')
    await page.getByLabel('Email').fill('ana@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(page, /^Sign in$/).click()
    await heading(page, 'Two-factor authentication').waitFor()
    await page.getByLabel('Code').fill('000000')
    await button(page, /^Sign in$/).click()
    await page.getByText('This code is wrong or was used already.').waitFor()
    // The code of the current step is already used, so the next one is needed.
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + STEP_MS })
    await page.getByLabel('Code').fill(code)
    await button(page, /^Sign in$/).click()
    await heading(page, 'Access tokens').waitFor()
    expect(pathOf(page)).toBe('/settings/tokens')
  })

  it('shows a new token once, and the token works', async () => {
    await button(page, 'New token').click()
    const dialog = page.getByRole('dialog', { name: 'New access token' })
    await dialog.getByLabel('Name').fill('n8n on the NAS')
    await passwordField(page).fill(PASSWORD)
    await button(page, 'Create token').click()
    await dialog.getByText('Select at least one.').waitFor()
    await dialog.getByLabel('Write Tasks').check()
    await expect.poll(() => dialog.getByLabel('Read Tasks').isChecked()).toBe(true)
    await button(page, 'Create token').click()
    const tokenDialog = page.getByRole('dialog', { name: 'Your access token' })
    const token = await tokenDialog.locator('code').innerText()
    expect(token).toMatch(/^fct_/)
    await button(page, 'Copy').click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(token)
    await button(page, 'Done').click()
    await tokenDialog.waitFor({ state: 'detached' })
    // Tokens cannot access the settings: 403 instead of 401 shows that the token is valid.
    const answer = await fetch(`${service.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(403)
    await page.getByText('Tasks: read and write').waitFor()
    expect(await page.content()).not.toContain(token)
  })

  it('lists and ends other sessions', async () => {
    const login = { email: 'ana@example.org', password: PASSWORD, code: backupCode }
    const signedIn = await fetch(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
      body: JSON.stringify(login),
    })
    expect(signedIn.status).toBe(200)
    const { token } = (await signedIn.json()) as { token: string }
    await page.goto('/settings/security')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('This session').waitFor()
    await sessions.getByRole('button', { name: 'Sign out curl' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expectToast(page, 'curl signed out')
    // The dialog blocks the page until it is closed.
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
    const me = await fetch(`${service.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(401)
  })

  it('shows the usage and saves a budget', async () => {
    await openPage(page, '/settings/usage')
    const usage = page.getByRole('region', { name: 'Usage' })
    await usage.getByText('Storage', { exact: true }).click()
    await usage.getByRole('img', { name: /^Storage from .*: at most .* per day$/ }).waitFor()
    await usage.getByText('Show as table').click()
    await expect.poll(() => usage.getByRole('row').count()).toBe(31)

    await button(page, 'Set budget').click()
    await page.getByRole('dialog', { name: 'New budget' }).getByLabel('Measure').selectOption('storageBytes')
    await page.getByLabel('Gigabytes').fill('0.0001')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Budget saved')
    const budgets = page.getByRole('region', { name: 'Budgets' })
    await budgets.getByText('Reached', { exact: true }).waitFor()
    await button(page, 'Delete budget for Storage').click()
    await budgets.getByText('No budgets', { exact: true }).waitFor()
  })

  it('exports all data as a zip file', async () => {
    await openPage(page, '/settings/data')
    await button(page, 'Export').click()
    await passwordField(page).fill(PASSWORD)
    const download = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    exported = readFileSync(await (await download).path())
    expect(exported.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    expect((await download).suggestedFilename()).toMatch(/^factotum-export-.*\.zip$/)
  })

  it('deletes the owner only with all data and typed confirmation, then starts with registration', async () => {
    await button(page, 'Delete account').click()
    await passwordField(page).fill(PASSWORD)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click()
    const wiping = page.getByRole('alertdialog', { name: 'You own this instance' })
    await wiping.getByRole('textbox').fill('yes')
    await button(page, 'Delete everything').click()
    await wiping.getByText('Type “delete everything” to continue.').waitFor()
    await wiping.getByRole('textbox').fill('delete everything')
    await button(page, 'Delete everything').click()
    await page
      .getByText('Create the first account before you connect an agent. It owns this instance.')
      .waitFor()
    expect(pathOf(page)).toBe('/register')
  })

  it('imports the export into the new instance and rejects invalid files', async () => {
    await register(page, { name: 'Someone', email: 'someone@example.org' })
    await openPage(page, '/settings/data')
    const chooser = page.getByLabel('Zip file to import')
    const send = (buffer: Buffer) =>
      chooser.setInputFiles({ name: 'mine.zip', mimeType: 'application/zip', buffer })
    await send(exported.subarray(0, 3000))
    await page
      .getByRole('alert')
      .getByText(/cannot be imported: .*Nothing was changed/)
      .waitFor()
    await send(exported)
    await page.getByRole('status').getByText('Import complete').waitFor()
    await openPage(page, '/settings/tokens')
    await page.getByText('n8n on the NAS').first().waitFor()
  })

  it('causes no browser errors', () => {
    expect(visitor.browserErrors).toEqual([])
  })
})

withBrowser('console in several tabs', () => {
  let service: Service
  let visitor: Visitor
  let one: Page
  let other: Page

  const openSection = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
    await heading(page, name).waitFor()
  }

  beforeAll(async () => {
    service = await startService({ ACCESS_TOKEN_TTL: `${TOKEN_MS}ms` })
    visitor = await visit(browser, service.url, {
      expected: [
        { status: 412, path: /(profile|preferences)$/ },
        // On a slow machine, a short-lived token can expire during the request.
        { status: 401, path: /^\/api\// },
      ],
    })
    one = visitor.page
    await signUp(visitor, '/settings/profile', { name: 'Ben', email: 'ben@example.org' })
    other = await visitor.context.newPage()
    await other.goto('/settings/profile')
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
  })

  it('keeps both tabs signed in while tokens expire repeatedly', async () => {
    for (const name of ['Access tokens', 'Webhooks', 'Security']) {
      await waitForTokenExpiry()
      await Promise.all([openSection(one, name), openSection(other, name)])
    }
    for (const page of [one, other])
      await page.getByRole('region', { name: 'Sessions' }).getByText('This session').waitFor()
    const activity = one.getByRole('region', { name: 'Activity' })
    await activity.getByText('Account created').waitFor()
    expect(await activity.getByText('to protect your account').count()).toBe(0)
    await expect
      .poll(() => one.getByRole('region', { name: 'Sessions' }).getByRole('listitem').count())
      .toBe(1)
  })

  /** Deferred, so that `evaluate` can still return. */
  const RELOAD = 'void setTimeout(() => location.reload())'

  /** Resolves when the reloaded page refreshes the session. The page may also refresh before the reload. */
  const waitForRefresh = async (page: Page): Promise<Page> => {
    let isReloaded = false
    page.once('framenavigated', () => {
      isReloaded = true
    })
    await page.waitForRequest((request) => isReloaded && request.url().endsWith('/api/auth/refresh'))
    return page
  }

  it('stays signed in when both tabs reload at once and one reloads twice', async () => {
    for (let round = 0; round < scaled({ full: 2, short: 1 }); round++) {
      await waitForTokenExpiry()
      const renewing = Promise.race([waitForRefresh(one), waitForRefresh(other)])
      await Promise.all([one.evaluate(RELOAD), other.evaluate(RELOAD)])
      // Reloads the page while its refresh request is pending.
      await (await renewing).evaluate(RELOAD)
      await Promise.all([heading(one, 'Security').waitFor(), heading(other, 'Security').waitFor()])
    }
    const activity = one.getByRole('region', { name: 'Activity' })
    await activity.getByText('Account created').waitFor()
    expect(await activity.getByText('to protect your account').count()).toBe(0)
  })

  it('asks before overwriting a change from the other tab', async () => {
    await Promise.all([openSection(one, 'Profile'), openSection(other, 'Profile')])
    const [mine, theirs] = [nameField(one), nameField(other)]
    await mine.fill('Benedikt')
    await theirs.fill('Benjamin')
    await saveIn(other, 'Name').click()
    await expectToast(other, 'Name saved')
    await saveIn(one, 'Name').click()
    await one.getByText('The saved name is “Benjamin”.').waitFor()
    await button(one, 'Save mine').click()
    await button(one, 'Account: Benedikt').waitFor()
  })

  it('saves without asking when the other tab changed something else', async () => {
    await nameField(one).fill('Ben again')
    await openSection(other, 'Preferences')
    await other.getByLabel('Start of the week').selectOption('sunday')
    await saveIn(other, 'Language and time').click()
    await expectToast(other, 'Preferences saved')
    await saveIn(one, 'Name').click()
    await button(one, 'Account: Ben again').waitFor()
    expect(await one.getByText('changed elsewhere').count()).toBe(0)
  })

  it('signs out in both tabs', async () => {
    await signOut(one)
    await heading(other, 'Sign in').waitFor()
    expect(visitor.browserErrors).toEqual([])
  })
})

withBrowser('console over a slow connection', () => {
  let service: Service
  let proxy: SlowProxy
  let visitor: Visitor

  beforeAll(async () => {
    proxy = await startSlowProxy('POST /api/auth/refresh', 1_000)
    service = await startService({ PUBLIC_URL: proxy.url })
    proxy.forwardTo(service.url)
    visitor = await visit(browser, proxy.url)
    await signUp(visitor, '/tasks', { name: 'Cleo', email: 'cleo@example.org' })
  })
  afterAll(async () => {
    await visitor?.context.close()
    await proxy?.close()
    await service?.stop()
  })

  it('stays signed in when a page is left during a session refresh', async () => {
    const { page } = visitor
    for (const delay of [4_000, 1_000]) {
      proxy.delayBy(delay)
      const renewal = page.waitForRequest('**/api/auth/refresh')
      await page.evaluate('location.reload()')
      await renewal
      // The old refresh token is used, and the new one has not arrived yet.
      await page.evaluate('location.reload()')
      await heading(page, 'Tasks').waitFor()
    }
  })

  it('signs out in every tab, after a pending session refresh', async () => {
    const { context, page: one, browserErrors } = visitor
    const other = await context.newPage()
    await other.goto('/tasks')
    await heading(other, 'Tasks').waitFor()
    const order: string[] = []
    context.on('response', (answer) => answer.url().endsWith('/auth/refresh') && order.push('renewed'))
    context.on('request', (request) => request.url().endsWith('/auth/logout') && order.push('signs out'))
    const renewal = other.waitForRequest('**/api/auth/refresh')
    await other.evaluate('location.reload()')
    await renewal
    await signOut(one)
    await heading(other, 'Sign in').waitFor()
    expect(order).toEqual(['renewed', 'signs out'])
    expect([pathOf(one), pathOf(other)]).toEqual(['/login', '/login'])
    expect(browserErrors).toEqual([])
  })
})

withBrowser('console on a local network', () => {
  let service: Service
  let visitor: Visitor

  beforeAll(async () => {
    service = await startService({ HOST: '0.0.0.0' })
    visitor = await visit(browser, service.url.replace('127.0.0.1', OUTER_ADDRESS))
    await register(visitor.page, { name: 'Elif', email: 'elif@example.org' })
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
  })

  it('signs in at a network address without configuration', async () => {
    const { page } = visitor
    await openPage(page, '/settings/security')
    await page.getByRole('region', { name: 'Sessions' }).getByText('This session').waitFor()
    expect(new URL(page.url()).hostname).toBe(OUTER_ADDRESS)
  })
})

withBrowser('console over plain HTTP with a host name', () => {
  let service: Service
  let visitor: Visitor

  beforeAll(async () => {
    service = await startService((port) => ({
      PUBLIC_URL: `http://${OWN_NAME}:${port}`,
      ACCESS: 'private',
      ACCESS_TOKEN_TTL: `${TOKEN_MS}ms`,
    }))
    visitor = await visit(browser, service.url.replace('127.0.0.1', OWN_NAME))
    await register(visitor.page, { name: 'Dana', email: 'dana@example.org' })
    await navigate(visitor.page, '/settings/security')
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
  })

  it('refreshes the session in one tab at a time although the browser offers no locks', async () => {
    const { page: one, context } = visitor
    expect(await one.evaluate('window.isSecureContext || "locks" in navigator')).toBe(false)
    const other = await context.newPage()
    await other.goto('/settings/security')
    const waitForSessions = () =>
      Promise.all(
        [one, other].map((page) =>
          page.getByRole('region', { name: 'Sessions' }).getByText('This session').waitFor(),
        ),
      )
    await waitForSessions()
    for (let round = 0; round < scaled({ full: 4, short: 2 }); round++) {
      // Wait for the new documents: requests of the old ones must not count.
      const loads = [one, other].map((page) => page.waitForEvent('load'))
      const later = Date.now() + 300
      for (const page of [one, other])
        await page.evaluate(`setTimeout(() => location.reload(), ${later} - Date.now())`)
      await Promise.all(loads)
      await waitForSessions()
    }
    const activity = one.getByRole('region', { name: 'Activity' })
    await activity.getByText('Account created').waitFor()
    expect(await activity.getByText('to protect your account').count()).toBe(0)
    await other.close()
  })

  it('copies a secret although the browser offers no clipboard API', async () => {
    const { page } = visitor
    await openPage(page, '/settings/feed-tokens')
    await button(page, 'New private link').click()
    await page.getByLabel('Name').fill('Phone')
    await button(page, 'Create link').click()
    const link = await page.getByRole('dialog', { name: 'Your private link' }).locator('code').innerText()
    await button(page, 'Copy').click()
    await button(page, 'Copied').waitFor()
    await button(page, 'Done').click()
    await page.getByText(`…${link.slice(-4)}`).waitFor()
    await openPage(page, '/settings')
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('ControlOrMeta+V')
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(link)
  })
})

withBrowser('console navigation', () => {
  const ana = { name: 'Ana', email: 'ana@example.org' }
  let service: Service
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    service = await startService()
    visitor = await visit(browser, service.url)
    page = visitor.page
    await visitor.context.request.post('/api/auth/register', { data: { ...ana, password: PASSWORD } })
  })
  afterAll(async () => {
    await visitor?.context.close()
    await service?.stop()
  })

  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')

  it('supports sign-in and settings search by keyboard alone', async () => {
    await page.goto('/login')
    await page.getByLabel('Email').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')
    await page.keyboard.type(ana.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, /, Ana$/).waitFor()
    await expect.poll(focused).toMatch(/, Ana$/)
    await page.keyboard.type('gs')
    await heading(page, 'Settings').waitFor()
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.type('2fa')
    await page.keyboard.press('Enter')
    await heading(page, 'Security').waitFor()
    await expect.poll(focused).toBe('Two-factor authentication')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.evaluate("history.pushState(null, '', '/nowhere')")
    await heading(page, 'Page not found').waitFor()
    expect((await page.goto('/nonsense'))?.status()).toBe(404)
    await heading(page, 'Page not found').waitFor()
    await page.goto('/tasks')
    await heading(page, 'Tasks').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(focused).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  })

  it('reports when the service is unreachable and when it is back', async () => {
    const { context } = visitor
    await context.setOffline(true)
    // Nothing has been requested for this page yet, not even by prefetching.
    await page.getByRole('link', { name: 'Mail', exact: true }).click()
    const notice = page.getByText('Could not reach Factotum. This page may be out of date')
    await notice.waitFor()
    await context.setOffline(false)
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: /^Access tokens/ }).click()
    await page.getByText('No access tokens').waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Private links' }).click()
    await page.getByText('Could not reach Factotum. Check your connection.').waitFor()
    await context.setOffline(false)
    await page.getByText('No private links').waitFor()
    await notice.waitFor({ state: 'detached' })
    // A proxy responds like this while the service restarts.
    await context.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByText('Could not reach Factotum. Check your connection.').waitFor()
    await notice.waitFor()
    await context.unroute('**/api/**')
    await page.getByText('No webhooks').waitFor()
  })

  it('finds items of all features from anywhere and restores the focus', async () => {
    await visitor.context.request.post('/api/emails', {
      data: { from: 'Bo <bo@example.org>', subject: 'Plums from the garden', text: 'Come and get some.' },
    })
    const field = page.getByRole('combobox', { name: 'Command palette' })
    const find = async (words: string) => {
      await page.keyboard.press('Control+k')
      await field.waitFor()
      await page.keyboard.type(words)
    }
    /** Waits until the option is selected, also for screen readers, which follow aria-activedescendant. */
    const chosen = async (name: string | RegExp) => {
      const option = page.getByRole('option', { name, selected: true })
      await option.waitFor()
      await expect
        .poll(() => field.getAttribute('aria-activedescendant'))
        .toBe(await option.getAttribute('id'))
    }
    await page.keyboard.type('gh')
    await heading(page, /, Ana$/).waitFor()
    await find('Pick the plums tomorrow at 9am')
    await chosen(/^Add task/)
    // The Content-Security-Policy forbids style elements.
    expect(await page.locator('style').count()).toBe(0)
    await page.keyboard.press('Enter')
    await expectToast(page, '“Pick the plums” added')
    await expect.poll(focused).toMatch(/, Ana$/)
    await find('plu')
    await chosen(/^Plums from the garden/)
    await page.keyboard.press('ArrowDown')
    await chosen(/^Pick the plums.*Due tomorrow/)
    await page.keyboard.press('PageDown')
    await chosen(/^Search calendar/)
    await page.keyboard.press('ArrowDown')
    await chosen(/^Plums from the garden/)
    await page.keyboard.press('ArrowUp')
    await chosen(/^Search calendar/)
    await page.keyboard.press('PageUp')
    await chosen(/^Plums from the garden/)
    // Home and End move the cursor in the text.
    await page.keyboard.press('End')
    await chosen(/^Plums from the garden/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Plums from the garden' }).waitFor()
    await expect.poll(focused).toBe('Plums from the garden')
    await find('new ev')
    await chosen('New event')
    await page.keyboard.press('Enter')
    const editor = page.getByRole('dialog', { name: 'New event' })
    await editor.waitFor()
    await page.reload()
    await page.getByText('Nothing planned').waitFor()
    expect(await editor.count()).toBe(0)
  })

  it('keeps the color scheme after a reload, from the first paint on', async () => {
    const color = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const light = await color()
    await button(page, /^Account:/).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(color).not.toBe(light)
    const dark = await color()
    // The main script is blocked, so only the inline script can set the color scheme.
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect.poll(color).toBe(dark)
  })
})
