export interface Picture {
  /** `data:` URL for inline parts; null for remote pictures. */
  data: string | null
  width: number
  height: number
}

export interface DocumentOptions {
  /** Allows remote pictures. */
  loadsImages: boolean
  /** Pictures by the URL in the message. Missing ones are not displayed. */
  pictures: ReadonlyMap<string, Picture>
  showsQuote: boolean
  colours: { ink: string; paper: string; link: string; rule: string; scheme: 'light' | 'dark' }
}

export interface MessageDocument {
  srcdoc: string
  /** Copy without URLs and links, used to measure the height. */
  measurementCopy: HTMLElement
  /** Copy without links for printing: a printed frame is cut at the page edge, in the middle of a line. */
  createPrintCopy: () => HTMLElement
  hasQuote: boolean
}

const COLOURED = /(?:^|[;\s"])(?:background(?:-color)?|color)\s*:|\bbgcolor=|<font[^>]*\bcolor=/i

/** A message without own colours follows the theme. A message with colours expects a white background. */
export const isColoured = (html: string): boolean => COLOURED.test(html)

const parse = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body

/** Upgrades picture URLs to https, because most browsers block plain http content. */
const secured = (src: string): string => src.replace(/^http:/i, 'https:')

export const remoteImagesIn = (html: string): string[] => [
  ...new Set(
    [...parse(html).querySelectorAll('img[data-src]')].map((image) => image.getAttribute('data-src') ?? ''),
  ),
]

export const ownImagesIn = (html: string): string[] => [
  ...new Set(
    [...parse(html).querySelectorAll('img[src^="/api/"]')].map((image) => image.getAttribute('src') ?? ''),
  ),
]

export const addressOf = secured

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

const addStyle = (element: Element, style: string): void => {
  element.setAttribute('style', `${element.getAttribute('style') ?? ''};${style}`)
}

const placeImages = (body: HTMLElement, { loadsImages, pictures }: DocumentOptions): void => {
  for (const image of body.querySelectorAll('img')) {
    const remote = image.getAttribute('data-src')
    const address = remote ?? image.getAttribute('src') ?? ''
    image.removeAttribute('data-src')
    const picture = pictures.get(address)
    const isOwn = address.startsWith('/api/')
    if (remote !== null && loadsImages) image.setAttribute('src', secured(remote))
    else if (isOwn && picture?.data) image.setAttribute('src', picture.data)
    else if (!address.startsWith('data:image/')) image.removeAttribute('src')
    const isDisplayed = image.hasAttribute('src')
    addStyle(image, isDisplayed ? 'max-width:100%;height:auto' : 'display:none')
    if (!isDisplayed || !picture || picture.height === 0) continue
    // Known dimensions reserve the space before the picture is loaded.
    if (!image.hasAttribute('width')) image.setAttribute('width', String(picture.width))
    addStyle(image, `aspect-ratio:${picture.width}/${picture.height}`)
  }
}

const secureLinks = (body: HTMLElement, link: string): void => {
  for (const anchor of body.querySelectorAll('a')) {
    const href = anchor.getAttribute('href') ?? ''
    if (!/^(?:https?:|mailto:|tel:)/i.test(href)) {
      anchor.removeAttribute('href')
      continue
    }
    anchor.setAttribute('target', '_blank')
    anchor.setAttribute('rel', 'noopener noreferrer nofollow')
    if (!/color\s*:/i.test(anchor.getAttribute('style') ?? '')) addStyle(anchor, `color:${link}`)
  }
}

const NOT_MEASURED = /^(?:src|srcset|href|target|on.*|id|class|name|background)$/i
/** Printed pictures are those of the frame. */
const NOT_PRINTED = /^(?:srcset|href|target|on.*|id|class|name|background)$/i

const copyWithout = (body: HTMLElement, style: string, attributes: RegExp): HTMLElement => {
  const copy = document.createElement('div')
  copy.setAttribute('style', style)
  copy.append(...[...body.cloneNode(true).childNodes].map((node) => document.importNode(node, true)))
  for (const element of copy.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (attributes.test(name)) element.removeAttribute(name)
  return copy
}

const createMeasurementCopy = (body: HTMLElement, style: string): HTMLElement => {
  const measurementCopy = copyWithout(body, style, NOT_MEASURED)
  for (const image of measurementCopy.querySelectorAll('img')) {
    const box = document.createElement('span')
    const [width, height] = ['width', 'height'].map((name) => Number(image.getAttribute(name)) || 0)
    box.setAttribute(
      'style',
      `display:inline-block;vertical-align:baseline;width:${width}px;${height ? `height:${height}px;` : ''}${image.getAttribute('style') ?? ''}`,
    )
    image.replaceWith(box)
  }
  return measurementCopy
}

/**
 * Builds the document for the message iframe. The service has sanitized the HTML; this repeats the important
 * steps as defence in depth.
 */
export const buildDocument = (html: string, options: DocumentOptions): MessageDocument => {
  const { colours, loadsImages, showsQuote } = options
  const body = parse(html)
  for (const bad of body.querySelectorAll('script,style,link,meta,base,iframe,object,embed,form,svg,math'))
    bad.remove()
  const quote = findQuote(body)
  if (!showsQuote) for (const part of quote) part.remove()
  placeImages(body, options)
  secureLinks(body, colours.link)
  for (const wide of body.querySelectorAll('table')) addStyle(wide, 'max-width:100%')
  for (const pre of body.querySelectorAll('pre')) addStyle(pre, 'white-space:pre-wrap')
  for (const cited of body.querySelectorAll('blockquote'))
    addStyle(cited, `margin:8px 0;padding-left:12px;border-left:2px solid ${colours.rule}`)
  const style = `margin:0;font:15px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;color:${colours.ink};background:${colours.paper};overflow-wrap:anywhere`
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${loadsImages ? ' https:' : ''}`,
    "form-action 'none'",
  ].join('; ')
  return {
    srcdoc: `<!doctype html><html lang="" style="color-scheme:${colours.scheme}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer"></head><body style="${style}">${body.innerHTML}</body></html>`,
    measurementCopy: createMeasurementCopy(body, `${style};display:flow-root`),
    createPrintCopy: () => copyWithout(body, style, NOT_PRINTED),
    hasQuote: quote.length > 0,
  }
}

/** Measures the height of the copy at a width, in a hidden shadow root outside the page layout. */
export const measure = (measurementCopy: HTMLElement, width: number): number => {
  const host = document.createElement('div')
  host.setAttribute(
    'style',
    `all:initial;position:absolute;top:0;left:0;visibility:hidden;pointer-events:none;contain:style;width:${width}px;height:0;overflow:hidden`,
  )
  host.setAttribute('aria-hidden', 'true')
  host.attachShadow({ mode: 'closed' }).append(measurementCopy)
  document.body.append(host)
  const height = Math.ceil(measurementCopy.getBoundingClientRect().height)
  host.remove()
  return height
}
