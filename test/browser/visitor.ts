import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'

/** Path of the Chromium that the tests use. Without it, they are skipped. */
export const browserPath = process.env.TEST_CHROMIUM

const whySkipped = browserPath ? '' : ' (skipped: TEST_CHROMIUM names no browser)'

/** Long enough for a busy machine. Elements that exist are found at once. */
export const TIMEOUT_MS = 60_000

export const withBrowser = (title: string, tests: () => void): void => {
  describe.skipIf(!browserPath)(`${title}${whySkipped}`, tests)
}

const launch = (args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? '',
    // There is no graphics card, and software emulation of one is slower than direct drawing.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', ...args],
    // It ends with its process. A signal handler would keep that process alive.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  })

/** All test files of a process use one browser. They are separated by their contexts. */
let shared: Promise<Browser> | undefined

const openShared = async (): Promise<Browser> => {
  const running = await shared?.catch(() => undefined)
  if (!running?.isConnected()) shared = launch([])
  return shared as Promise<Browser>
}

/** Opens a browser for the tests of a file. Arguments need a browser of their own. */
export const openBrowser = async (...args: string[]): Promise<Browser> => {
  if (args.length > 0) return launch(args)
  const browser = await openShared()
  const contexts: BrowserContext[] = []
  const own: Pick<Browser, 'newContext' | 'close'> = {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    /** Closes what its tests opened. */
    async close() {
      for (const context of contexts.splice(0)) await context.close()
    },
  }
  return own as Browser
}

export interface Visitor {
  context: BrowserContext
  page: Page
  /** Console errors and warnings, script errors and policy violations. */
  browserErrors: string[]
}

/** HTTP errors that a test provokes. The browser logs them as errors too. */
type Expected = readonly { status: number; path: RegExp }[]

const isExpected = (expected: Expected, text: string, address: string): boolean =>
  // The event stream ends with its session, and its reconnect is rejected.
  (text.includes('status of 401') && URL.parse(address)?.pathname === '/api/events') ||
  expected.some(
    ({ status, path }) =>
      text.includes(`status of ${status}`) && path.test(URL.parse(address)?.pathname ?? ''),
  )

const watch = (page: Page, browserErrors: string[], expected: Expected): void => {
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    if (!isExpected(expected, message.text(), url)) browserErrors.push(`${message.text()} ${url}`)
  })
  page.on('pageerror', (error) => browserErrors.push(String(error)))
}

/** Opens a browser context in Berlin. */
export const visit = async (
  browser: Browser,
  baseURL: string,
  options: { expected?: Expected; width?: number; locale?: string; hasTouch?: boolean } = {},
): Promise<Visitor> => {
  const context = await browser.newContext({
    baseURL,
    locale: options.locale ?? 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: options.width ?? 1280, height: 900 },
    hasTouch: options.hasTouch ?? false,
    // Animations cost time and are not tested here.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // Shorter than the test timeout, so that a failure names the missing element.
  context.setDefaultTimeout(TIMEOUT_MS)
  const browserErrors: string[] = []
  context.on('page', (page) => watch(page, browserErrors, options.expected ?? []))
  return { context, page: await context.newPage(), browserErrors }
}

export const PASSWORD = 'a calm and quiet harbour'

/** Creates an account with the registration form and waits for the home page. */
export const register = async (
  page: Page,
  { name, email }: { name: string; email: string },
): Promise<void> => {
  await page.goto('/register')
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/**
 * Creates an account through the API, signs in and opens a page.
 * The registration form has its own tests.
 */
export const signUp = async (
  { context, page }: Visitor,
  path: string,
  { name, email, locale }: { name: string; email: string; locale?: string } = {
    name: 'Ana',
    email: 'ana@example.org',
  },
): Promise<void> => {
  const made = await context.request.post('/api/auth/register', {
    headers: { 'x-session': 'cookie' },
    data: { name, email, password: PASSWORD, locale },
  })
  if (!made.ok()) throw new Error(await made.text())
  const { user } = (await made.json()) as { user: { id: number } }
  // The console restores a session only if this flag is set.
  await page.goto('/api/health')
  await page.evaluate("localStorage.setItem('factotum.signed-in', 'yes')")
  // An account created through the API has no timezone. The timezone offer has its own tests.
  await page.evaluate(`localStorage.setItem('factotum.zone-kept.${user.id}', 'Europe/Berlin')`)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Turns off email notifications, so that tests can count sent mail. */
export const muteMail = async (url: string, email: string): Promise<void> => {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password: PASSWORD })
  const signedIn = await fetch(`${url}/api/auth/login`, { method: 'POST', headers: json, body })
  const { token } = (await signedIn.json()) as { token: string }
  const headers = { ...json, authorization: `Bearer ${token}` }
  const settings = `${url}/api/settings/notifications`
  const { kinds } = (await (await fetch(settings, { headers })).json()) as { kinds: object }
  const off = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, { email: 'off' }]))
  const answer = await fetch(settings, { method: 'PATCH', headers, body: JSON.stringify({ kinds: off }) })
  if (!answer.ok) throw new Error(await answer.text())
}

export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}

/** Navigates within the console without a reload and waits for the page. */
export const navigate = async (page: Page, address: string): Promise<void> => {
  const [path = ''] = address.split('?')
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  const current = `nav a[href="${path}"][aria-current="page"], .main-nav-more[data-current="true"]`
  await page.locator(current).first().waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/**
 * Opens another page of the console as a link does, and closes the toasts and dialogs of the current one. A reload
 * would compile the console again, which takes several times the CPU time. A toast of a request that is still under
 * way appears late, so the toasts are closed until none is left.
 */
export const openPage = async (page: Page, address: string): Promise<void> => {
  await page.evaluate(`history.pushState(null, '', '/nowhere')`)
  const open = page.locator('.toast, .dialog, .popover')
  for (let attempt = 0; attempt === 0 || (await open.count()) > 0; attempt += 1) {
    if (attempt === 100) throw new Error(`Still open: ${await open.first().innerText()}`)
    await page.evaluate(`for (const button of document.querySelectorAll('.toast-close')) button.click()`)
    await page.waitForTimeout(attempt === 0 ? 0 : 50 + attempt * 5)
  }
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Returns the width of the page. More than the window means that something is cut off. */
export const pageWidth = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth')

export const pathOf = (page: Page): string => new URL(page.url()).pathname
