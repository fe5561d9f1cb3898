/*
 * Compares how the console displays HTML mail with the same HTML in Chromium, and checks that no visible text is
 * called hidden. The reference has no scripts and no forms. Both sides have the same placeholders for images.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { sanitizeHtml } from '../src/features/mail/html/sanitizer.ts'
import { createSecurityHeaders } from '../src/platform/http/security-headers.ts'

const WIDTH = 800
const CONSOLE_URL = 'https://console.example/'
const READING = new URL('../web/src/features/mail/reading/', import.meta.url)
const OWN_MAILS = `${import.meta.dirname}/html-mails`
const DATA = `${process.env.EVALUATION_DATA ?? '../shared/data'}/html-mails`
const HEADERS = createSecurityHeaders({ https: false }).forPages

export interface HtmlMail {
  name: string
  html: string
}

export interface HtmlMailResult {
  name: string
  /** Share of the pixels that differ noticeably. */
  difference: number
  /** Visible text that the console calls hidden. */
  visibleCalledHidden: string[]
  /** The text that the console reports as hidden. */
  reported: string | null
}

const readMails = (pattern: string): HtmlMail[] =>
  globSync(pattern)
    .sort()
    .map((path) => ({ name: basename(path), html: readFileSync(path, 'utf8') }))

export const readOwnMails = (): HtmlMail[] => readMails(`${OWN_MAILS}/*.html`)

/** Splits by family, so that near relatives are on the same side. Null if the data is absent. */
export const readPublicMails = (): { tuning: HtmlMail[]; validation: HtmlMail[] } | null => {
  const mails = readMails(`${DATA}/html.*/*.html`)
  if (mails.length === 0) return null
  const families = new Map(
    globSync(`${DATA}/index.*.jsonl`)
      .flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as { file: string; family: string })
      .map(({ file, family }) => [basename(file), family]),
  )
  const isTuning = ({ name }: HtmlMail): boolean =>
    (createHash('sha256')
      .update(families.get(name) ?? name)
      .digest()[0] ?? 0) %
      2 ===
    0
  return { tuning: mails.filter(isTuning), validation: mails.filter((mail) => !isTuning(mail)) }
}

/** The modules of the console that build and judge the document. They have no imports. */
const readModule = (name: string): string =>
  stripTypeScriptTypes(readFileSync(new URL(name, READING), 'utf8'))

interface PageWindow {
  createReference(html: string): string
  render(html: string): Promise<{ reported: string | null; hidden: string[]; height: number }>
  hideAgain(): void
  compare(a: string, b: string): Promise<number>
}

/** Runs in the page that displays mail like the console does. */
const CONSOLE_SCRIPT = `
import { buildDocument, createPlaceholder, fitFrame, writeDocument } from './html-document.js'
import { findHiddenText, judgeTexts } from './hidden-text.js'

const colors = { ink: '#1f2428', paper: '#ffffff', link: '#17607c', rule: '#d5d1c7', scheme: 'light' }
const frame = document.querySelector('iframe')

window.render = async (html) => {
  const options = { loadsImages: false, pictures: new Map(), showsQuote: true, colors }
  writeDocument(frame, buildDocument(html, options))
  const rendered = frame.contentDocument
  await Promise.all([...rendered.images].map((image) => image.decode().catch(() => {})))
  fitFrame(frame)
  window.hidden = judgeTexts(rendered).filter(({ isVisible }) => !isVisible).map(({ node }) => node)
  return {
    reported: findHiddenText(rendered),
    hidden: window.hidden.map((node) => node.data.trim()),
    height: frame.clientHeight,
  }
}

// Text that is really hidden can become invisible without a change of the picture.
window.hideAgain = () => {
  for (const node of window.hidden) {
    const cover = frame.contentDocument.createElement('span')
    cover.style.setProperty('visibility', 'hidden', 'important')
    node.replaceWith(cover)
    cover.append(node)
  }
}

window.createReference = (html) => {
  const found = new DOMParser().parseFromString(html, 'text/html')
  for (const bad of found.querySelectorAll('script,input,button,select,textarea,link')) bad.remove()
  for (const form of found.querySelectorAll('form')) form.replaceWith(...form.childNodes)
  for (const image of found.querySelectorAll('img')) {
    image.removeAttribute('srcset')
    if (!/^data:image/.test(image.getAttribute('src') ?? '')) image.src = createPlaceholder(image)
  }
  const { doctype } = found
  return (doctype ? new XMLSerializer().serializeToString(doctype) : '') + found.documentElement.outerHTML
}
`

/** Runs in a page without a policy. Counts pixels like pixelmatch with its default threshold. */
const COMPARE_SCRIPT = `
const read = async (base64) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + base64)).blob())
  return image
}
window.compare = async (a, b) => {
  const images = [await read(a), await read(b)]
  const width = Math.max(...images.map((image) => image.width))
  const height = Math.max(...images.map((image) => image.height))
  const [first, second] = images.map((image) => {
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, width, height).data
  })
  let different = 0
  for (let at = 0; at < first.length; at += 4) {
    const [r, g, b] = [0, 1, 2].map((channel) => first[at + channel] - second[at + channel])
    const y = r * 0.29889531 + g * 0.58662247 + b * 0.11448223
    const i = r * 0.59597799 - g * 0.2741761 - b * 0.32180189
    const q = r * 0.21147017 - g * 0.52261711 + b * 0.31114694
    if (0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q > 35215 * 0.01) different++
  }
  return different / (width * height)
}
`

interface Pages {
  console: Page
  reference: Page
  compare: Page
}

const openPages = async (browser: Browser): Promise<Pages> => {
  const options = { viewport: { width: WIDTH, height: 600 }, colorScheme: 'light' } as const
  const context = await browser.newContext(options)
  const scripted = await context.newPage()
  const files: Record<string, [type: string, content: string]> = {
    '': [
      'text/html',
      '<!DOCTYPE html><style></style><body style="margin:0"><iframe style="display:block;width:100%;border:0" sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin"></iframe><script type="module" src="console.js"></script>',
    ],
    'console.js': ['text/javascript', CONSOLE_SCRIPT],
    'html-document.js': ['text/javascript', readModule('html-document.ts')],
    'hidden-text.js': ['text/javascript', readModule('hidden-text.ts')],
  }
  await context.route('**/*', (route) => {
    const file = files[route.request().url().slice(CONSOLE_URL.length)]
    if (!file || !route.request().url().startsWith(CONSOLE_URL)) return route.abort()
    return route.fulfill({ contentType: file[0], body: file[1], headers: HEADERS })
  })
  await scripted.goto(CONSOLE_URL)
  const plain = await browser.newContext({ ...options, javaScriptEnabled: false })
  await plain.route('**/*', (route) => route.abort())
  const compare = await (await browser.newContext()).newPage()
  await compare.addScriptTag({ content: COMPARE_SCRIPT })
  return { console: scripted, reference: await plain.newPage(), compare }
}

const takePicture = async (page: Page): Promise<string> =>
  (await page.screenshot({ fullPage: true, animations: 'disabled' })).toString('base64')

const evaluateMail = async (
  pages: Pages,
  { name, html }: HtmlMail,
  onPicture: OnPicture = () => {},
): Promise<HtmlMailResult> => {
  const sanitized = sanitizeHtml(html, { toUrl: () => undefined })
  const run = <T>(
    page: Page,
    work: (given: string, window: PageWindow) => T,
    given = '',
  ): Promise<Awaited<T>> =>
    page.evaluate(`(${work.toString()})(${JSON.stringify(given)}, window)` as never) as Promise<Awaited<T>>
  const compare = (a: string, b: string): Promise<number> =>
    pages.compare.evaluate(
      ([first, second]) => (globalThis as unknown as PageWindow).compare(first as string, second as string),
      [a, b],
    )
  const { reported, hidden, height } = await run(
    pages.console,
    (given, page) => page.render(given),
    sanitized,
  )
  await pages.console.setViewportSize({ width: WIDTH, height })
  const actual = await takePicture(pages.console)
  // The height of some mails depends on the window.
  await pages.reference.setViewportSize({ width: WIDTH, height })
  await pages.reference.setContent(
    await run(pages.console, (given, page) => page.createReference(given), html),
  )
  const expected = await takePicture(pages.reference)
  onPicture('reference', expected)
  onPicture('console', actual)
  let visibleCalledHidden: string[] = []
  if (hidden.length > 0) {
    await run(pages.console, (_, page) => page.hideAgain())
    if ((await compare(actual, await takePicture(pages.console))) > 0) visibleCalledHidden = hidden
  }
  return { name, difference: await compare(expected, actual), visibleCalledHidden, reported }
}

/** The installed Chromium. The headless shell starts faster. */
const findChromium = (): string | undefined =>
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))

/** Receives the PNG of each rendering in base64. */
type OnPicture = (name: 'reference' | 'console', png: string) => void

/** Returns null if there is no Chromium. */
export const evaluateHtmlMails = async (
  mails: readonly HtmlMail[],
  onPicture?: OnPicture,
): Promise<HtmlMailResult[] | null> => {
  const executablePath = findChromium()
  if (executablePath === undefined) return null
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--hide-scrollbars'],
  })
  try {
    const pages = await openPages(browser)
    const results: HtmlMailResult[] = []
    for (const mail of mails) results.push(await evaluateMail(pages, mail, onPicture))
    return results
  } finally {
    await browser.close()
  }
}

/** At most this share of the pixels of a mail may differ. */
export const MAX_DIFFERENCE = 0.02
