import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { fillMailbox } from './mailbox.ts'
import { freePort, SERVE, startServer } from './processes.ts'

const SECRET_KEY = 'a key for measuring with, long enough to be one'
const EMAILS = Number(process.env.EMAILS ?? 100_000)
const FRAMES = 900
/** At 60 frames a second, a frame takes 16.7 ms. A later one is a dropped frame. */
const DROPPED_MS = 25

const SPEEDS: [title: string, pixels: number][] = [
  ['reading, 20 px a frame', 20],
  ['fast, 100 px a frame', 100],
  ['very fast, 400 px a frame', 400],
]

interface Scrolled {
  /** Time between frames, in milliseconds. */
  gaps: number[]
  /** Time of the scripts, styles and layout in each frame, in milliseconds. */
  works: number[]
  /** Visible rows without content, as a share of all frames. */
  blank: number
  rows: number
}

/** Scrolls by a number of pixels in each frame and measures the time between the frames. */
const scroll = (page: Page, pixels: number): Promise<Scrolled> =>
  page.evaluate(
    `(async () => {
      const list = document.querySelector('.mail-scroll')
      const gaps = [], works = []
      let blank = 0
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      // A message arrives after the frame is drawn.
      const drawn = () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
      let last = await frame()
      for (let n = 0; n < ${FRAMES}; n++) {
        list.scrollTop += ${pixels}
        const at = await frame()
        gaps.push(at - last)
        last = at
        await drawn()
        works.push(performance.now() - at)
        const box = list.getBoundingClientRect()
        const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        if (!found?.closest('.mail-row')) blank++
      }
      const rows = Number(document.querySelector('.mail-row:last-child')?.getAttribute('aria-posinset'))
      return { gaps, works, blank: blank / ${FRAMES}, rows }
    })()`,
  )

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1)

const report = (title: string, { gaps, works, blank, rows }: Scrolled): void => {
  const dropped = gaps.filter((gap) => gap > DROPPED_MS).length
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000
  console.log(
    [
      title.padEnd(28),
      `${(gaps.length / seconds).toFixed(1)} frames a second`,
      `${((dropped / gaps.length) * 100).toFixed(1)} % dropped`,
      `work ${percentile(works, 0.5)} / ${percentile(works, 0.95)} / ${percentile(works, 0.99)} ms (median, 95 %, 99 %)`,
      `blank ${(blank * 100).toFixed(1)} %`,
      `at row ${rows}`,
    ].join('  '),
  )
}

/** Measures the frames while the thread list of a large mailbox scrolls. Needs Chromium. */
export const benchMailScroll = async (): Promise<void> => {
  const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
    existsSync(path),
  )
  if (!executablePath) return console.log('skipped: Chromium is not installed')
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  await fillMailbox(dataDir, EMAILS)
  const environment = { DATA_DIR: dataDir, SECRET_KEY, TZ_DEFAULT: 'UTC' }
  const server = await startServer(SERVE, environment, freePort(), '/api/health')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
    })
    const account = { name: 'Ana', email: 'ana@example.org', password: 'a calm and quiet harbour' }
    await context.request.post('/api/auth/register', { headers: { 'x-session': 'cookie' }, data: account })
    const page = await context.newPage()
    await page.goto('/api/health')
    await page.evaluate("localStorage.setItem('factotum.signed-in', 'yes')")
    for (const [title, pixels] of SPEEDS) {
      await page.goto('/mail')
      await page.locator('.mail-row').first().waitFor()
      report(title, await scroll(page, pixels))
    }
  } finally {
    await browser.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
