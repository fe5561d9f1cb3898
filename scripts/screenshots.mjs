// Takes the screenshots of README.md and docs/tour.md from the sample data, in light and dark:
//   npm run screenshots [-- FOLDER]
// Needs Chromium (Debian: apt-get install chromium).
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as browserType } from 'playwright-core'
import { chromium } from './parts/chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.argv[2] ?? join(root, 'docs', 'images')
const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** `prepare` brings the page into the state that the picture shows. */
const PICTURES = [
  { name: 'home', path: '/' },
  { name: 'mail', path: '/mail', prepare: openEmail },
  { name: 'calendar', path: '/calendar?view=week' },
  { name: 'tasks', path: '/tasks' },
  { name: 'insights', path: '/insights?range=7d' },
  { name: 'assistant', path: '/assistant', prepare: askAssistant },
  { name: 'phone', path: '/', viewport: PHONE },
]

async function openEmail(page) {
  await page.getByRole('link', { name: /Re: Drawings for the Lindenhof/ }).click()
  const about = page.getByRole('button', { name: /^About this email/ })
  await about.waitFor()
  if ((await about.getAttribute('aria-expanded')) === 'false') await about.click()
}

async function askAssistant(page) {
  await page.getByRole('button', { name: 'What do I have tomorrow?' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  // The events of tomorrow depend on the day of the week.
  await page.locator('.chat-message[data-role=assistant]').first().waitFor()
  await page.locator('.chat-messages[aria-busy=false]').waitFor()
}

/** Starts an instance with the sample data on a free port. Returns its address and the sign-in data. */
async function startDemo(dataDir) {
  const child = spawn(process.execPath, [join(root, 'bin', 'factotum.mjs'), 'serve', '--demo'], {
    cwd: dataDir,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', TZ_DEFAULT: 'Europe/Berlin', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The service did not start:\n${output}`)))
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
      if (/Sample\s+sign in/.test(output)) resolve()
    })
  })
  const [, url] = /Console\s+(\S+)/.exec(output)
  const [, email, password] = /sign in as (\S+) with the password (\S+)/.exec(output)
  return { child, url, email, password }
}

async function takePictures(browser, demo, colorScheme) {
  const context = await browser.newContext({
    baseURL: demo.url,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme,
    reducedMotion: 'reduce',
    viewport: DESKTOP,
  })
  const page = await context.newPage()
  await page.goto('/login')
  await page.locator('input[type=email]').fill(demo.email)
  await page.locator('input[type=password]').fill(demo.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((address) => address.pathname === '/')
  for (const { name, path, viewport = DESKTOP, prepare } of PICTURES) {
    await page.setViewportSize(viewport)
    await page.goto(path)
    await page.locator('main h1').first().waitFor()
    await prepare?.(page)
    await page.waitForFunction(() => !document.querySelector('.skeleton'))
    // Charts draw after their data has arrived.
    await page.waitForTimeout(1500)
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }
  await context.close()
}

const { env, missing } = await chromium.provide()
if (missing) throw new Error(`Chromium is missing: ${missing}`)
mkdirSync(folder, { recursive: true })
const browser = await browserType.launch({
  executablePath: env.TEST_CHROMIUM,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu'],
})
// Each color scheme gets new data, because taking the pictures changes them.
for (const colorScheme of ['light', 'dark']) {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-screenshots-'))
  const demo = await startDemo(dataDir)
  try {
    await takePictures(browser, demo, colorScheme)
  } finally {
    demo.child.kill('SIGTERM')
    await new Promise((resolve) => demo.child.once('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true })
  }
}
await browser.close()
