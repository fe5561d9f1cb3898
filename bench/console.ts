import { existsSync } from 'node:fs'
import { type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { fillCalendar } from './calendar-rows.ts'
import { fillMailbox } from './mailbox.ts'
import { freePort, median, SERVE, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const EMAILS = Number(process.env.CONSOLE_EMAILS ?? 100_000)
const EVENTS = 20_000
const ROUNDS = Number(process.env.CONSOLE_ROUNDS ?? 9)
const LIMIT_MS = 200
const FRAMES = 900
/** The frames of one round. */
const FRAMES_TOGETHER = 100
/** Rounded down, because the clock of the browser has steps of 0.1 ms. */
const FRAMES_PER_SECOND = 59.5
/** The console loads the pages that a person may open next this long after the first input. */
const PREFETCH_MS = 3_500
const KEY_MS = 70
/** A person holds a mouse button about this long. The time counts from its release. */
const PRESS_MS = 80

const SPEEDS: [title: string, pixels: number][] = [
  ['reading, 20 px a frame', 20],
  ['fast, 100 px a frame', 100],
  ['very fast, 400 px a frame', 400],
]
const WORDS = ['garden', 'invoice', 'mountain', 'harvest', 'kitchen', 'ticket', 'winter', 'bridge', 'castle']

/**
 * Resolves with the time from the last click or key to the frame that shows the result. The frame after the condition
 * became true has drawn it, and a message arrives after that frame.
 */
const MEASURE = `window.measurePaint = (isDone) => new Promise((resolve) => {
  let start
  const note = (event) => { start = event.timeStamp }
  for (const type of ['click', 'keydown']) addEventListener(type, note, { capture: true })
  const look = () => {
    if (start === undefined || !isDone()) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      for (const type of ['click', 'keydown']) removeEventListener(type, note, { capture: true })
      resolve(performance.now() - start)
    }
    port2.postMessage(null)
  }
  requestAnimationFrame(look)
})`

/** Measures the time from the last input of `act` until the expression `isDone` holds in a drawn frame. */
const measure = async (page: Page, isDone: string, act: () => Promise<void>): Promise<number> => {
  await page.evaluate(MEASURE)
  // Not awaited here, so that the page watches during the action.
  await page.evaluate(`void (window.painted = measurePaint(() => ${isDone}))`)
  await act()
  return page.evaluate('window.painted')
}

const countOf = (selector: string): string => `document.querySelectorAll(${JSON.stringify(selector)}).length`

const openInbox = async (page: Page): Promise<number> => {
  await page.goto('/tasks')
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Any input starts the timer.
  await page.mouse.move(600, 500)
  await page.waitForTimeout(PREFETCH_MS)
  const link = page.locator('nav a[href="/mail"]').first()
  return measure(page, `${countOf('.mail-row')} > 5`, () => link.click({ delay: PRESS_MS }))
}

const openEmail = async (page: Page, round: number): Promise<number> => {
  const row = page.locator('.mail-row').nth(round)
  const subject = (await row.locator('.mail-subject').innerText()).trim()
  const isDone = `document.querySelector('.mail-reading .message-text')
    && document.querySelector('.mail-reading').innerText.includes(${JSON.stringify(subject)})`
  return measure(page, isDone, () => row.locator('.mail-link').click({ delay: PRESS_MS }))
}

/** Types the beginning of a word. The address has the search that the rows belong to. */
const search = async (page: Page, round: number): Promise<number> => {
  const field = page.getByRole('searchbox', { name: 'Search emails' })
  const typed = (WORDS[round % WORDS.length] as string).slice(0, -1)
  await field.fill('')
  await page.waitForFunction(`${countOf('.mail-row')} > 5 && ${countOf('.mail-row mark')} === 0`)
  await field.focus()
  const isDone = `new URLSearchParams(location.search).get('q') === ${JSON.stringify(typed)}
    && ${countOf('.mail-row mark')} > 3`
  return measure(page, isDone, () => field.pressSequentially(typed, { delay: KEY_MS }))
}

/** While the events of the displayed days are loading, the view is busy and has at most two weeks of them. */
const HAS_EVENTS = `${countOf('.calendar-view[aria-busy=false] .month .week:has(.chip)')} > 3`

const openMonth = async (page: Page, round: number): Promise<number> => {
  await page.goto(`/calendar?view=week&date=2026-0${1 + (round % 9)}-15`)
  await page.locator('.calendar-view[aria-busy=false] .chip').first().waitFor()
  const button = page.getByRole('button', { name: 'Month', exact: true })
  return measure(page, HAS_EVENTS, () => button.click({ delay: PRESS_MS }))
}

const stepMonth = async (page: Page): Promise<number> => {
  const before = await page.locator('.month-day').first().getAttribute('data-day')
  const isDone = `document.querySelector('.month-day')?.dataset.day !== ${JSON.stringify(before)} && ${HAS_EVENTS}`
  const button = page.getByRole('button', { name: 'Forward', exact: true })
  return measure(page, isDone, () => button.click({ delay: PRESS_MS }))
}

interface Scrolled {
  /** Time between frames, in milliseconds. */
  gaps: number[]
  /** Time of the scripts, styles and layout in each frame, in milliseconds. */
  works: number[]
  /** Frames whose middle had no row, as a share of all. */
  blank: number
  /** Frames at the end of the loaded rows, as a share of all. The list waits for its next page. */
  waiting: number
}

/** Scrolls by a number of pixels in each frame and measures the time between the frames. */
const scroll = (page: Page, pixels: number): Promise<Scrolled> =>
  page.evaluate(
    `(async () => {
      const list = document.querySelector('.mail-scroll')
      const gaps = [], works = []
      let blank = 0, waiting = 0
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      // A message arrives after the frame is drawn.
      const drawn = () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
      let last = await frame()
      for (let n = 0; n < ${FRAMES}; n++) {
        const before = list.scrollTop
        list.scrollTop += ${pixels}
        if (list.scrollTop < before + ${pixels}) waiting++
        const at = await frame()
        gaps.push(at - last)
        last = at
        await drawn()
        works.push(performance.now() - at)
        const box = list.getBoundingClientRect()
        const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        if (!found?.closest('.mail-row')) blank++
      }
      return { gaps, works, blank: blank / ${FRAMES}, waiting: waiting / ${FRAMES} }
    })()`,
  )

const toPercent = (share: number): string => `${(share * 100).toFixed(1)} %`

const reportScroll = (title: string, { gaps, works, blank, waiting }: Scrolled, report: Report): void => {
  const rounds = Array.from({ length: FRAMES / FRAMES_TOGETHER }, (_, n) =>
    gaps.slice(n * FRAMES_TOGETHER, (n + 1) * FRAMES_TOGETHER),
  )
  const perSecond = rounds.map((round) => (1000 * round.length) / round.reduce((sum, gap) => sum + gap, 0))
  const late = gaps.filter((gap) => gap > 17).length / gaps.length
  report({
    group: 'console',
    work: `scroll, ${title}`,
    ours: `${median(perSecond).toFixed(1)} frames/s, ${toPercent(late)} late, ${toPercent(blank)} blank, ${toPercent(waiting)} waiting, main thread ${median(works).toFixed(1)} ms a frame`,
    checks: [{ values: perSecond, atLeast: FRAMES_PER_SECOND, unit: ' frames/s' }],
  })
}

/** Counts the requests and bytes of the inbox with an empty cache. */
const measureFirstLoad = async (context: BrowserContext, report: Report): Promise<void> => {
  const page = await context.newPage()
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.goto('/mail')
  await page.locator('.mail-row').first().waitFor()
  await page.waitForFunction("!document.querySelector('[aria-busy=true]')")
  const first = [...requests]
  // The event stream does not end.
  const finished = first.filter((request) => !request.url().endsWith('/api/events'))
  const sizes = finished.map(async (request) => {
    await (await request.response())?.finished()
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    return responseBodySize + responseHeadersSize
  })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  report({
    group: 'firstLoad',
    work: 'inbox, compressed',
    checks: [{ values: [bytes / 1000], atMost: 250, unit: ' kB' }],
  })
  report({
    group: 'firstLoad',
    work: 'inbox, requests',
    checks: [{ values: [first.length], atMost: 20, unit: '' }],
  })
  await page.close()
}

const measureTimes = async (page: Page, report: Report): Promise<void> => {
  const works: [work: string, measureOnce: (page: Page, round: number) => Promise<number>][] = [
    ['open the inbox', openInbox],
    ['open an email', openEmail],
    ['search as you type', search],
    ['open the month view', openMonth],
    ['step to the next month', stepMonth],
  ]
  for (const [work, measureOnce] of works) {
    const values: number[] = []
    for (let round = 0; round < ROUNDS; round++) values.push(await measureOnce(page, round))
    report({ group: 'console', work, checks: [{ values, atMost: LIMIT_MS, unit: ' ms' }] })
  }
}

/** Measures the console with a large mailbox. Needs Chromium. `CONSOLE_EMAILS` sets the number of emails. */
export const benchConsole = (report: Report): Promise<void> =>
  withDirectories(1, async ([dataDir]) => {
    const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
      existsSync(path),
    )
    if (!executablePath) return void process.stderr.write('  skipped: Chromium is not installed\n')
    await fillMailbox(dataDir, EMAILS)
    await fillCalendar(dataDir, { events: EVENTS, series: 0 })
    const environment = { DATA_DIR: dataDir, SECRET_KEY, TZ_DEFAULT: 'UTC' }
    const server = await startServer(SERVE, environment, freePort(), '/api/health')
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const context = await browser.newContext({
        baseURL: server.url,
        locale: 'en-GB',
        timezoneId: 'UTC',
        // Expressions of this benchmark are evaluated in the page.
        bypassCSP: true,
        viewport: { width: 1280, height: 900 },
        reducedMotion: 'reduce',
      })
      const account = { name: 'Ana', email: 'ana@example.org', password: 'a calm and quiet harbour' }
      await context.request.post('/api/auth/register', { headers: { 'x-session': 'cookie' }, data: account })
      await context.addInitScript("localStorage.setItem('factotum.signed-in', 'yes')")
      await measureFirstLoad(context, report)
      const page = await context.newPage()
      await measureTimes(page, report)
      for (const [title, pixels] of SPEEDS) {
        await page.goto('/mail')
        await page.locator('.mail-row').first().waitFor()
        reportScroll(title, await scroll(page, pixels), report)
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  })
