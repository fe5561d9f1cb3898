export interface Picture {
  /** A `data:` URL. */
  data: string
}

export interface Palette {
  ink: string
  paper: string
  link: string
  rule: string
  scheme: 'light' | 'dark'
}

export interface DocumentOptions {
  /** Allows remote pictures. */
  loadsImages: boolean
  /** Inline pictures by their URL in the message. */
  pictures: ReadonlyMap<string, Picture>
  showsQuote: boolean
  colors: Palette
}

export interface MessageDocument {
  /** The document without style sheets. */
  html: string
  /**
   * Style sheets for `adoptedStyleSheets`. The policy of the console, which the frame inherits, forbids style
   * elements.
   */
  css: string
  /** Copy without links for printing: a printed frame is cut at the page edge, in the middle of a line. */
  createPrintCopy: () => HTMLElement
  hasQuote: boolean
}

const COLORED = /(?:^|[{;\s"])(?:background(?:-color)?|color)\s*:|\bbgcolor=|<font[^>]*\bcolor=/i

/** A message without own colors follows the theme. A message with colors expects a white background. */
export const isColored = (html: string): boolean => COLORED.test(html)

const ADAPTS =
  /<meta name="color-scheme" content="[^"]*\bdark\b|prefers-color-scheme\s*:\s*dark|[{;\s"]color-scheme\s*:[^;"}]*\bdark\b/i

/** Whether the message says that it has colors for dark mode. */
export const adaptsToDarkMode = (html: string): boolean => ADAPTS.test(html)

/** Parses the HTML. Style elements become inert ones: the policy of the console reports even those of a parser. */
const parse = (html: string): Document => {
  const inert = html.replace(
    /<style([^>]*)>(.*?)<\/style>/gs,
    (_, attributes: string, css: string) =>
      `<meta data-css="${css.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"${attributes}>`,
  )
  return new DOMParser().parseFromString(inert, 'text/html')
}

/** Upgrades picture URLs to https, because most browsers block plain http content. */
const secured = (src: string): string => src.replace(/^http:/i, 'https:')

/** Reads `data-remote-images`: pairs of a number, which styles refer to, and an address. */
const styleImagesOf = (element: Element): [number: string, address: string][] =>
  (element.getAttribute('data-remote-images') ?? '')
    .match(/\d+ \S+/g)
    ?.map((pair) => pair.split(' ') as [string, string]) ?? []

/** Lists the addresses of all pictures: remote ones, and inline parts that start with `/api/`. */
export const listPictures = (html: string): { own: string[]; remote: string[] } => {
  const found = parse(html)
  const addresses = [
    ...[...found.querySelectorAll('img')].map(
      (image) => image.getAttribute('data-src') ?? image.getAttribute('src') ?? '',
    ),
    ...[...found.querySelectorAll('[data-remote-images]')].flatMap((element) =>
      styleImagesOf(element).map(([, address]) => address),
    ),
  ]
  const pick = (pattern: RegExp): string[] => [
    ...new Set(addresses.filter((address) => pattern.test(address))),
  ]
  return { own: pick(/^\/api\//), remote: pick(/^https?:\/\//i) }
}

const INTRODUCTION = /(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev|napisał)[^:]{0,80}:\s*$/

/** Finds the last quotation with its introduction, if no text follows it. */
const findQuote = (body: HTMLElement): Element[] => {
  const quotes = [...body.querySelectorAll('blockquote')].filter(
    (quote) => quote.parentElement?.closest('blockquote') === null,
  )
  const last = quotes.at(-1)
  if (!last) return []
  const range = body.ownerDocument.createRange()
  range.setStartAfter(last)
  range.setEndAfter(body.lastChild ?? last)
  if (range.toString().trim() !== '') return []
  range.setStart(body, 0)
  range.setEndBefore(last)
  if (range.toString().trim() === '') return []
  let before = last.previousElementSibling
  while (before && before.textContent?.trim() === '') before = before.previousElementSibling
  const introduces = before !== null && INTRODUCTION.test(before.textContent ?? '')
  return introduces && before ? [before, last] : [last]
}

const toPixels = (text: string | null): number | null => {
  const [, pixels] = /^\s*(\d{1,4})(?:\.\d+)?\s*(?:px)?\s*$/i.exec(text ?? '') ?? []
  return pixels === undefined ? null : Number(pixels)
}

/** Edge of a picture without a declared size. */
const UNKNOWN_EDGE = 24

/** A grey picture of the declared size, which keeps the layout while the real one is not loaded. */
export const createPlaceholder = (image: HTMLImageElement): string => {
  const sizeOf = (name: 'width' | 'height'): number =>
    toPixels(image.getAttribute(name)) ?? toPixels(image.style[name]) ?? UNKNOWN_EDGE
  const [width, height] = [Math.max(1, sizeOf('width')), Math.max(1, sizeOf('height'))]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#e6e6e6"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const placeImages = (body: HTMLElement, { loadsImages, pictures }: DocumentOptions): void => {
  for (const image of body.querySelectorAll('img')) {
    const remote = image.getAttribute('data-src')
    const address = remote ?? image.getAttribute('src') ?? ''
    const own = pictures.get(address)?.data
    image.removeAttribute('data-src')
    image.removeAttribute('srcset')
    if (remote !== null && loadsImages) image.setAttribute('src', secured(remote))
    else if (own !== undefined) image.setAttribute('src', own)
    else if (!address.startsWith('data:image/')) {
      image.setAttribute('src', createPlaceholder(image))
      if (image.alt && !image.title) image.title = image.alt
    }
  }
}

/** Defines the pictures of styles. A style without its picture falls back to `none`. */
const defineStyleImages = (root: Element, { loadsImages, pictures }: DocumentOptions): string => {
  const definitions: string[] = []
  for (const element of [root, ...root.querySelectorAll('[data-remote-images]')]) {
    for (const [number, address] of styleImagesOf(element)) {
      const isRemote = /^https?:\/\//i.test(address)
      const url = isRemote ? (loadsImages ? secured(address) : undefined) : pictures.get(address)?.data
      // A transparent picture tells the check for hidden text that the real background is unknown.
      const isUsable = url !== undefined && !/["\\\s]/.test(url)
      const image = isUsable ? `url("${url}")` : 'linear-gradient(transparent,transparent)'
      definitions.push(`--remote-image-${number}:${image};`)
    }
    element.removeAttribute('data-remote-images')
  }
  return definitions.length === 0 ? '' : `html{${definitions.join('')}}`
}

const secureLinks = (body: HTMLElement): void => {
  for (const anchor of body.querySelectorAll('a')) {
    const href = anchor.getAttribute('href') ?? ''
    if (/^(?:https?:|mailto:|tel:)/i.test(href)) {
      anchor.setAttribute('target', '_blank')
      anchor.setAttribute('rel', 'noopener noreferrer nofollow')
    } else if (!href.startsWith('#')) anchor.removeAttribute('href')
  }
}

/** Whether the message has a design of its own. Other messages get the typography of the console. */
const isDesigned = (found: Document, css: string): boolean =>
  css !== '' || found.querySelector('table,font,[bgcolor],[style*="font"],[style*="background"]') !== null

const createBaseStyles = ({ ink, paper, link, rule, scheme }: Palette, designed: boolean): string =>
  designed
    ? `:where(html){color-scheme:${scheme}}:where(body){overflow-wrap:break-word}`
    : `:where(html){color-scheme:${scheme}}:where(body){margin:0;font:15px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;color:${ink};background:${paper};overflow-wrap:anywhere}:where(a[href]){color:${link}}:where(pre){white-space:pre-wrap}:where(blockquote){margin:8px 0;padding-left:12px;border-left:2px solid ${rule}}:where(img){max-width:100%;height:auto}`

/** Words of the search, see use-search-marks.ts. Readable on any background that the message has. */
const SEARCH_MARKS = '::highlight(mail-search){background-color:#fbe9a9;color:#1f2428}'

/** The theme of the console decides, not the one of the system. */
const applyScheme = (css: string, scheme: Palette['scheme']): string =>
  css.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, wanted: string) =>
    wanted.toLowerCase() === scheme ? '(min-width:0px)' : '(max-width:0px)',
  )

const BAD = 'script,style,link,meta,base,title,iframe,frame,object,embed,form,input,button,svg,math,template'

const takeStyles = (found: Document, options: DocumentOptions): string => {
  const images = defineStyleImages(found.documentElement, options)
  const styles = [...found.querySelectorAll('meta[data-css]')]
  const css = styles.map((style) => style.getAttribute('data-css')).join('\n')
  return applyScheme(css, options.colors.scheme) + images
}

/**
 * Cuts the percentage heights of a message off the height of its frame, which follows the content. In quirks mode
 * a percentage passes all ancestors without a height, but not `max-content`.
 */
const fixRootHeight = ({ style }: HTMLElement): void => {
  style.setProperty('height', 'max-content', 'important')
  style.setProperty('min-height', '0', 'important')
  style.setProperty('position', 'relative', 'important')
  style.setProperty('inset', 'auto', 'important')
}

const NOT_PRINTED = /^(?:srcset|href|target|on.*|name)$/i

const createPrintCopy = (found: Document): HTMLElement => {
  const copy = document.importNode(found.documentElement, true)
  for (const element of copy.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (NOT_PRINTED.test(name)) element.removeAttribute(name)
  return copy
}

const writeDoctype = ({ doctype }: Document): string => {
  if (!doctype) return ''
  const { publicId, systemId } = doctype
  if (publicId === '') return '<!DOCTYPE html>'
  return `<!DOCTYPE html PUBLIC "${publicId}"${systemId === '' ? '' : ` "${systemId}"`}>`
}

/**
 * Builds the document for the message iframe. The service has sanitized the HTML; this repeats the important
 * steps as defence in depth.
 */
export const buildDocument = (html: string, options: DocumentOptions): MessageDocument => {
  const found = parse(html)
  const css = takeStyles(found, options)
  for (const bad of found.querySelectorAll(BAD)) bad.remove()
  const { body, documentElement: root } = found
  const quote = findQuote(body)
  const designed = isDesigned(found, css)
  if (!options.showsQuote) for (const part of quote) part.remove()
  placeImages(body, options)
  secureLinks(body)
  fixRootHeight(root)
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${options.loadsImages ? ' https:' : ''}`,
    "form-action 'none'",
  ].join('; ')
  found.head.innerHTML = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer">`
  return {
    html: writeDoctype(found) + root.outerHTML,
    css: createBaseStyles(options.colors, designed) + css + SEARCH_MARKS,
    createPrintCopy: () => createPrintCopy(found),
    hasQuote: quote.length > 0,
  }
}

/** Event of a frame after its document was written. */
export const FRAME_RENDERED = 'message-rendered'

/** Adds the style sheets to a document or a shadow root. `CSSStyleSheet` must be the class of its window. */
const adoptStyles = (root: DocumentOrShadowRoot, css: string, SheetClass: typeof CSSStyleSheet): void => {
  const sheet = new SheetClass()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
}

/**
 * Writes the document into an empty frame. A `srcdoc` frame cannot be used: it ignores that old messages ask for
 * quirks mode.
 */
export const writeDocument = (frame: HTMLIFrameElement, { html, css }: MessageDocument): void => {
  const { contentDocument, contentWindow } = frame
  if (!contentDocument || !contentWindow) return
  contentDocument.open()
  contentDocument.write(html)
  contentDocument.close()
  adoptStyles(contentDocument, css, (contentWindow as Window & typeof globalThis).CSSStyleSheet)
  frame.dispatchEvent(new Event(FRAME_RENDERED, { bubbles: true }))
}

/** Fills a shadow root with the print copy. Its own `html` and `body` elements match the styles of the message. */
export const writePrintCopy = (root: ShadowRoot, { createPrintCopy, css }: MessageDocument): void => {
  root.replaceChildren(createPrintCopy())
  // Positioned parts of the message must not cover the rest of the page.
  adoptStyles(root, `${css}html{display:block;position:relative;overflow:clip}`, CSSStyleSheet)
}

/** Frames narrower than this scale messages of a fixed width, like other mail programs on a phone. */
const NARROW = 640
const MIN_SCALE = 0.4
/** Space for a horizontal scroll bar. */
const SCROLL_BAR = 16

/** Fits a written frame to its content. */
export const fitFrame = (frame: HTMLIFrameElement): void => {
  const root = frame.contentDocument?.documentElement
  if (!root) return
  // The height of some messages depends on the height of the frame.
  frame.style.height = '0px'
  root.style.removeProperty('zoom')
  const width = frame.clientWidth
  if (width > 0 && width < NARROW && root.scrollWidth > width)
    root.style.setProperty('zoom', String(Math.max(MIN_SCALE, width / root.scrollWidth)))
  const isWide = root.scrollWidth > width
  const height = Math.ceil(root.scrollHeight) + (isWide ? SCROLL_BAR : 0)
  frame.style.height = `${Math.max(height, 24)}px`
}

/** A message whose style depends on the height of its frame can need more than one round. */
const MAX_ROUNDS = 5

/** Makes room for content that became higher, without a jump of the page. False if the content grows along. */
export const growFrame = (frame: HTMLIFrameElement): boolean => {
  const root = frame.contentDocument?.documentElement
  if (!root) return false
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // In quirks mode, the root has no height of its own to compare with.
    if (root.scrollHeight <= frame.clientHeight) return true
    frame.style.height = `${Math.ceil(root.scrollHeight)}px`
  }
  return root.scrollHeight <= frame.clientHeight
}
