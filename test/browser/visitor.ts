import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'

/** The browser that tests use; without one they are skipped. */
export const browserPath = process.env.TEST_CHROMIUM

const whySkipped = browserPath ? '' : ' (skipped: TEST_CHROMIUM names no browser)'

/** Long for a person, and not too long for a machine that runs everything at once: what is there is seen at once. */
export const PATIENCE_MS = 20_000

export const withBrowser = (title: string, tests: () => void): void => {
  describe.skipIf(!browserPath)(`${title}${whySkipped}`, { timeout: 90_000 }, tests)
}

export const openBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? '',
    // There is no graphics card: to imitate one costs more than to draw.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', ...args],
  })

export interface Visitor {
  context: BrowserContext
  page: Page
  /** What the browser complained about: errors of scripts, refused resources, broken policies. */
  troubles: string[]
}

/** Refusals that a person provokes: the browser notes them as errors too. */
type Expected = readonly { status: number; path: RegExp }[]

const isExpected = (expected: Expected, text: string, address: string): boolean =>
  // The live stream ends with its session, and is refused when it comes back to see.
  (text.includes('status of 401') && URL.parse(address)?.pathname === '/api/events') ||
  expected.some(
    ({ status, path }) =>
      text.includes(`status of ${status}`) && path.test(URL.parse(address)?.pathname ?? ''),
  )

const watch = (page: Page, troubles: string[], expected: Expected): void => {
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const { url } = message.location()
    if (!isExpected(expected, message.text(), url)) troubles.push(`${message.text()} ${url}`)
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
}

/** Somebody in Berlin with a browser of their own. */
export const visit = async (
  browser: Browser,
  baseURL: string,
  options: { expected?: Expected; width?: number } = {},
): Promise<Visitor> => {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: options.width ?? 1280, height: 900 },
    // What moves is drawn many times, and is no subject of these tests.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // Shorter than a test may take, so that a failure names what it waited for.
  context.setDefaultTimeout(PATIENCE_MS)
  const troubles: string[] = []
  context.on('page', (page) => watch(page, troubles, options.expected ?? []))
  return { context, page: await context.newPage(), troubles }
}

export const PASSWORD = 'a calm and quiet harbour'

/** Creates an account through the console and waits for its home. */
export const register = async (
  page: Page,
  { name, email }: { name: string; email: string },
): Promise<void> => {
  await page.goto('/register')
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/**
 * Somebody with an account, signed in where they want to be. It is made as programs make one: that a person can do it
 * by the form, and sees their home then, is for the console's own tests to show.
 */
export const arrive = async (
  { context, page }: Visitor,
  path: string,
  { name, email }: { name: string; email: string } = { name: 'Ana', email: 'ana@example.org' },
): Promise<void> => {
  const made = await context.request.post('/api/auth/register', {
    headers: { 'x-session': 'cookie' },
    data: { name, email, password: PASSWORD },
  })
  if (!made.ok()) throw new Error(await made.text())
  const { user } = (await made.json()) as { user: { id: number } }
  // The console asks for a session only where somebody was signed in before.
  await page.goto('/api/health')
  await page.evaluate("localStorage.setItem('factotum.signed-in', 'yes')")
  // A program that makes an account names no zone; the offer to take the browser's is a subject of its own.
  await page.evaluate(`localStorage.setItem('factotum.zone-kept.${user.id}', 'Europe/Berlin')`)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Nothing is told by mail, where a test counts what is sent. */
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

/** Goes there within the console, without loading it anew, and waits until it is there. */
export const walk = async (page: Page, address: string): Promise<void> => {
  const [path = ''] = address.split('?')
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`)
  await page.locator(`nav a[href="${path}"][aria-current="page"]`).first().waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** The widest thing on the page: more than the window means that something is cut off. */
export const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth')

export const pathOf = (page: Page): string => new URL(page.url()).pathname
