import { createRequire } from 'node:module'
import type { HtmlToTextOptions } from 'html-to-text'
import type { Attributes, IFrame, IOptions } from 'sanitize-html'
import {
  filterStyleAttribute,
  filterStyleSheet,
  MAX_STYLE_SHEET_LENGTH,
  toImageVariable,
} from './style-sheet.ts'

const words = (text: string): string[] => text.split(' ')

const FOREIGN = new Set(['svg', 'math'])
/** HTML tags that implicitly close an open <svg> or <math> (HTML standard, section 13.2.6.5). */
const BREAKOUT_TAGS = words(
  'b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li ' +
    'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)
const BREAKOUT_PREFIXES = new Set([...BREAKOUT_TAGS.map((name) => `<${name}`), '</p', '</br'])
/** The content of these tags is not displayed. An unclosed one must not hide the rest of a message. */
const HIDDEN_TAGS = ['template', 'object', 'select', 'option']

const HIDDEN_OR_FOREIGN = new RegExp(`<(?:${[...FOREIGN, ...HIDDEN_TAGS].join('|')})`, 'i')
const UNCLOSED_TAG = /<\/?([a-z][a-z0-9]*)/gi
/** Limit for nested <svg> and <math> tags. */
const MAX_FOREIGN_DEPTH = 20

/**
 * Closes tags that the sanitizer removes with their content where a browser would close them. Otherwise an
 * unclosed <svg> would cut off the message. The tags are matched roughly, because the result is sanitized
 * afterwards.
 */
export const closeForeignTags = (html: string): string => {
  if (!HIDDEN_OR_FOREIGN.test(html)) return html
  const lower = html.toLowerCase()
  const lastEnds = new Map(HIDDEN_TAGS.map((name) => [name, lower.lastIndexOf(`</${name}`)]))
  const open: string[] = []
  const pieces: string[] = []
  let copiedTo = 0
  for (const { 0: found, 1: given = '', index } of html.matchAll(UNCLOSED_TAG)) {
    const tag = found.toLowerCase()
    const name = given.toLowerCase()
    const isStart = tag.length === name.length + 1
    if (FOREIGN.has(name)) {
      if (!isStart) open.length = Math.max(0, open.lastIndexOf(name))
      else if (open.length < MAX_FOREIGN_DEPTH) open.push(name)
    } else if (open.length > 0 && BREAKOUT_PREFIXES.has(tag)) {
      pieces.push(
        html.slice(copiedTo, index),
        ...open
          .splice(0)
          .reverse()
          .map((foreign) => `</${foreign}>`),
      )
      copiedTo = index
    } else if (isStart && index > (lastEnds.get(name) ?? index)) {
      // Rename the tag to an unknown one, which has no effect.
      pieces.push(html.slice(copiedTo, index), '<x-')
      copiedTo = index + 1
    }
  }
  return pieces.join('') + html.slice(copiedTo)
}

const require = createRequire(import.meta.url)

/** Mail programs truncate far shorter messages. */
const MAX_LENGTH = 512 * 1024
/** Legitimate pages are not nested deeper. The time of the parser grows with the square of the depth. */
const MAX_DEPTH = 500
/** Limit for end tags without a start tag. For each of them, the parser scans all open tags. */
const MAX_STRAY_END_TAGS = 1_000

const TEXT_TAGS = words(
  'p div span br hr wbr h1 h2 h3 h4 h5 h6 blockquote pre center b strong i em u s strike del ins small big ' +
    'sub sup mark font code kbd samp var tt q cite abbr address time bdi bdo ruby rt rp ul ol li dl dt dd ' +
    'figure figcaption details summary section article header footer main aside nav table thead tbody tfoot ' +
    'tr th td caption colgroup col nobr acronym dfn menu dir label',
)

const isTrackingPixel = ({ width, height, class: className, style = '' }: Attributes): boolean => {
  const isTiny = (size: string | undefined): boolean =>
    size !== undefined && /^[01](?:px)?$/.test(size.trim())
  const tinyStyle = /(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)/i
  const hidden = /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\D|$)/i
  // A picture with a class can be the version for a phone, which a media query displays.
  const isHidden = className === undefined && hidden.test(style)
  return isTiny(width) || isTiny(height) || tinyStyle.test(style) || isHidden
}

const REMOTE = /^(?:https?:)?\/\//i
const DATA_IMAGE = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,[\w+/=\s]+$/i

interface Parts {
  /** The URL of an attachment of this message, by its Content-ID. */
  toUrl(contentId: string): string | undefined
  /** For HTML that was sanitized before: the URL prefix of the attachments of its email. */
  attachmentPrefix?: string
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const toAttachmentUrl = (address: string, { toUrl, attachmentPrefix }: Parts): string | undefined => {
  if (attachmentPrefix !== undefined && address.startsWith(attachmentPrefix))
    return /^[\w-]+$/.test(address.slice(attachmentPrefix.length)) ? address : undefined
  const [, contentId] = /^cid:(.+)$/i.exec(address) ?? []
  return contentId === undefined ? undefined : (toUrl(decode(contentId)) ?? toUrl(contentId))
}

/**
 * Displays images of the message itself. Remote images are loaded only on request; until then their URL is in
 * `data-src`.
 */
const toImageSource = (attributes: Attributes, parts: Parts): Attributes => {
  const { src = '', srcset = '', 'data-src': stored = '' } = attributes
  const isStored = parts.attachmentPrefix !== undefined
  if (isStored && /^https?:\/\//i.test(stored)) return { 'data-src': stored }
  const [fromSet = ''] = srcset.trim().split(/[\s,]/, 1)
  const address = src.trim() || fromSet
  const url = toAttachmentUrl(address, parts)
  if (url !== undefined) return { src: url }
  if (DATA_IMAGE.test(address)) return { src: address }
  if (!REMOTE.test(address)) return {}
  return { 'data-src': address.startsWith('//') ? `https:${address}` : address }
}

/** Numbers the images in the styles of a message, which the console replaces when it loads them. */
class StyleImages {
  readonly #parts: Parts
  /** Addresses of the current element, each with its number. */
  #found: string[] = []
  #count = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Returns CSS without the address. */
  readonly replace = (address: string): string => {
    const trimmed = address.trim()
    if (DATA_IMAGE.test(trimmed)) return `url('${trimmed.replace(/\s/g, '')}')`
    const url = toAttachmentUrl(trimmed, this.#parts) ?? this.#toRemote(trimmed)
    if (url === null) return 'none'
    const index = this.#count++
    this.#found.push(`${index} ${url}`)
    return toImageVariable(index)
  }

  /** Returns the images that were replaced since the last call, for `data-remote-images`. */
  take(): string | undefined {
    const found = this.#found
    this.#found = []
    return found.length === 0 ? undefined : found.join(' ')
  }

  /** Keeps the addresses of HTML that was sanitized before. Its styles refer to them by number. */
  keepStored(given: string | undefined): string | undefined {
    const prefix = this.#parts.attachmentPrefix
    if (prefix === undefined || given === undefined) return undefined
    const pairs = given.match(/\d{1,5} \S+/g) ?? []
    const kept = pairs.filter((pair) => {
      const address = pair.slice(pair.indexOf(' ') + 1)
      return this.#toRemote(address) === address || toAttachmentUrl(address, this.#parts) !== undefined
    })
    return kept.length === 0 ? undefined : kept.join(' ')
  }

  #toRemote(address: string): string | null {
    if (!REMOTE.test(address)) return null
    const { href } = URL.parse(address.startsWith('//') ? `https:${address}` : address) ?? {}
    return href ?? null
  }
}

/** Applies the `background` attribute of old HTML as a style, and removes what a style must not have. */
const filterStyles = (attributes: Attributes, images: StyleImages): Attributes => {
  const { style = '', background, 'data-remote-images': stored, ...rest } = attributes
  const attributeStyle = background?.trim() ? `background-image:${images.replace(background)}` : ''
  const own = style === '' ? '' : filterStyleAttribute(style, images.replace)
  const filtered = [attributeStyle, own].filter((each) => each !== '').join(';')
  const addresses = images.keepStored(stored) ?? images.take()
  return {
    ...rest,
    ...(filtered !== '' && { style: filtered }),
    ...(addresses !== undefined && { 'data-remote-images': addresses }),
  } as Attributes
}

const GLOBAL_ATTRIBUTES = words(
  'style class id dir lang title align valign width height bgcolor hidden data-remote-images',
)
const ROOT_ATTRIBUTES = words('style class id dir lang data-remote-images')
const BODY_ATTRIBUTES = [
  ...ROOT_ATTRIBUTES,
  ...words(
    'bgcolor text link vlink alink leftmargin rightmargin topmargin bottommargin marginwidth marginheight',
  ),
]
const CELL_ATTRIBUTES = ['colspan', 'rowspan', 'nowrap', 'abbr', 'headers', 'scope']

/** Follows links to other sites in a new tab, and links within the message in its frame. */
const toLinkAttributes = (href: string): Attributes => {
  if (/^\s*(?:https?:\/\/|mailto:|tel:)/i.test(href))
    return { href: href.trim(), target: '_blank', rel: 'noopener noreferrer nofollow' }
  // Drop other relative links: a sender cannot mean a page of this application.
  return /^\s*#[\w-]{0,100}\s*$/.test(href) ? { href: href.trim() } : {}
}

/** An image without a source takes space or has a text only with one of these. */
const VISIBLE_WITHOUT_SOURCE = ['data-src', 'alt', 'width', 'height', 'style', 'class', 'id']
const isInvisible = (style = ''): boolean => /(?:^|;)display:none/i.test(style)

const createOptions = (parts: Parts, images: StyleImages): IOptions => ({
  allowedTags: [...TEXT_TAGS, 'a', 'img'],
  allowedAttributes: {
    '*': GLOBAL_ATTRIBUTES,
    a: ['href', 'rel', 'target', 'name'],
    br: ['clear'],
    hr: ['size', 'color', 'noshade'],
    img: ['src', 'data-src', 'alt', 'border', 'hspace', 'vspace'],
    font: ['color', 'face', 'size'],
    // The composer finds the quoted mail and the signature of a draft by these.
    blockquote: ['type'],
    div: ['data-part'],
    ol: ['start', 'type', 'reversed'],
    ul: ['type'],
    li: ['value', 'type'],
    table: ['cellpadding', 'cellspacing', 'border', 'bordercolor', 'rules', 'frame', 'role'],
    td: CELL_ATTRIBUTES,
    th: CELL_ATTRIBUTES,
    col: ['span'],
    colgroup: ['span'],
    time: ['datetime'],
    details: ['open'],
  },
  // `filterStyles` replaces the slower filter of the library.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  // `toImageSource` restricts the sources to attachment paths and data URLs of images.
  allowedSchemesByTag: { img: ['data', 'http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'data-src'],
  allowProtocolRelative: false,
  nonTextTags: words(
    'script style textarea option select title template xmp iframe noembed noframes object math svg',
  ),
  nestingLimit: 200,
  transformTags: {
    // The library applies this one after those of a tag.
    '*': (tagName, attribs) => ({ tagName, attribs: filterStyles(attribs, images) }),
    a: (tagName, { href = '', rel: _rel, target: _target, ...rest }) => ({
      tagName,
      attribs: { ...rest, ...toLinkAttributes(href) } as Attributes,
    }),
    img: (tagName, { src, srcset, 'data-src': stored, ...rest }) => ({
      tagName,
      attribs: {
        ...rest,
        // A tracking pixel keeps its place in the layout, but not its address.
        ...(isTrackingPixel(rest)
          ? {}
          : toImageSource({ src, srcset, 'data-src': stored } as Attributes, parts)),
      } as Attributes,
    }),
  },
  exclusiveFilter: ({ tag, attribs }: IFrame) =>
    tag === 'img' &&
    attribs.src === undefined &&
    (isInvisible(attribs.style) || !VISIBLE_WITHOUT_SOURCE.some((name) => attribs[name] !== undefined)),
})

const TAG = /<(\/?)([a-z][a-z0-9]*)/gi
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
/** The end tag is optional: the next tag of the same kind closes the element. */
const OPTIONAL_END = /^(?:p|li|dt|dd|td|th|tr|option|thead|tbody|tfoot)$/
const SEARCH_DEPTH = 30

interface LimitedHtml {
  html: string
  /** True if content was omitted. */
  isTruncated: boolean
}

/** Limits length and nesting of the HTML. Drops end tags without a start tag if there are too many. */
const limitHtml = (html: string): LimitedHtml => {
  const text = html.slice(0, MAX_LENGTH)
  const open: string[] = []
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  const pieces: string[] = []
  let copiedTo = 0
  let strays = 0
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, given = ''] = match
    const name = given.toLowerCase()
    if (VOID.test(name)) continue
    if (slash !== '/') {
      if (OPTIONAL_END.test(name) && open.at(-1) === name) continue
      if (open.length >= MAX_DEPTH)
        return { html: pieces.join('') + text.slice(copiedTo, match.index), isTruncated: true }
      open.push(name)
      counts.set(name, count(name) + 1)
      continue
    }
    const at = count(name) === 0 ? -1 : open.lastIndexOf(name)
    if (at >= 0 && at >= open.length - SEARCH_DEPTH)
      for (const ended of open.splice(at)) counts.set(ended, count(ended) - 1)
    else if (at < 0 && ++strays > MAX_STRAY_END_TAGS) {
      pieces.push(text.slice(copiedTo, match.index))
      // The parser treats it as a comment, which is not displayed.
      copiedTo = match.index + tag.length
      if (text[copiedTo] === '>') copiedTo++
      else pieces.push('</ ')
    }
  }
  return { html: pieces.join('') + text.slice(copiedTo), isTruncated: html.length > MAX_LENGTH }
}

export const TRUNCATION_NOTE =
  '[This message is longer than what is shown. Download the original to read all of it.]'

const TRUNCATION_PARAGRAPH = `<p>${TRUNCATION_NOTE}</p>`

/** Adds the note unless the HTML already ends with it. */
export const addTruncationNote = (html: string): string =>
  html.endsWith(TRUNCATION_PARAGRAPH) ? html : html + TRUNCATION_PARAGRAPH

interface Shell {
  doctype: string
  html: Attributes
  body: Attributes
  colorScheme: string
  styles: { css: string; media: string; images: string | undefined }[]
}

/** The doctype selects the rendering mode of the browser. */
const DOCTYPE = /^!doctype\s+html(?:\s+public\s+"[^"<>&]{0,100}"(?:\s+"[^"<>&]{0,200}")?)?\s*\/?$/i
const COLOR_SCHEME = /^(?:(?:light|dark|only|normal)\s*)+$/i
const MAX_STYLE_BLOCKS = 50

/** Reads the parts around the content that define how a browser renders it. */
const readShell = (source: string): Shell => {
  const { Parser } = require('htmlparser2') as typeof import('htmlparser2')
  const shell: Shell = { doctype: '', html: {}, body: {}, colorScheme: '', styles: [] }
  let isStarted = false
  let isInStyle = false
  let seenHtml = false
  let seenBody = false
  const parser = new Parser(
    {
      onprocessinginstruction(name, data) {
        if (!isStarted && /^!doctype$/i.test(name) && DOCTYPE.test(data)) shell.doctype = `<${data}>`
        isStarted = true
      },
      onopentag(name, attributes) {
        isStarted = true
        if (name === 'html' && !seenHtml) {
          shell.html = attributes
          seenHtml = true
        } else if (name === 'body' && !seenBody) {
          shell.body = attributes
          seenBody = true
        } else if (name === 'style' && shell.styles.length < MAX_STYLE_BLOCKS) {
          isInStyle = true
          const { media = '', 'data-remote-images': images } = attributes
          shell.styles.push({ css: '', media, images })
        } else if (name === 'meta' && /^(?:supported-)?color-schemes?$/i.test(attributes.name ?? '')) {
          const content = attributes.content?.trim() ?? ''
          if (COLOR_SCHEME.test(content)) shell.colorScheme = content.toLowerCase()
        }
      },
      ontext(text) {
        if (isInStyle) (shell.styles.at(-1) as Shell['styles'][number]).css += text
        else if (text.trim() !== '') isStarted = true
      },
      onclosetag(name) {
        if (name === 'style') isInStyle = false
      },
    },
    { decodeEntities: true },
  )
  parser.write(source)
  parser.end()
  return shell
}

const MEDIA = /^[\w\s(),:.-]{1,200}$/

const writeStyles = (styles: Shell['styles'], images: StyleImages): string => {
  let length = 0
  const blocks = styles.map(({ css, media, images: stored }) => {
    length += css.length
    if (length > MAX_STYLE_SHEET_LENGTH) return ''
    const isLimited = media.trim() !== '' && !/^all$/i.test(media.trim())
    const filtered = filterStyleSheet(css, images.replace)
    const found = images.take()
    if (filtered === '' || (isLimited && !MEDIA.test(media))) return ''
    const rules = isLimited ? `@media ${media.trim()}{${filtered}}` : filtered
    const attributes = toAttributes({ 'data-remote-images': images.keepStored(stored) ?? found ?? '' })
    return `<style${attributes}>${rules}</style>`
  })
  return blocks.join('')
}

const escapeAttribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toAttributes = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')

const pickAttributes = (
  attributes: Attributes,
  names: readonly string[],
  images: StyleImages,
): Attributes => {
  const filtered = filterStyles(attributes, images)
  return Object.fromEntries(names.flatMap((name) => (filtered[name] ? [[name, filtered[name]]] : [])))
}

/** Writes the start of the document up to its content. Empty if the content needs none. */
const writeShell = (shell: Shell, images: StyleImages): string => {
  const styles = writeStyles(shell.styles, images)
  const scheme = shell.colorScheme === '' ? '' : `<meta name="color-scheme" content="${shell.colorScheme}">`
  const root = toAttributes(pickAttributes(shell.html, ROOT_ATTRIBUTES, images))
  const body = toAttributes(pickAttributes(shell.body, BODY_ATTRIBUTES, images))
  if (shell.doctype + styles + scheme + root + body === '') return ''
  return `${shell.doctype}<html${root}><head>${scheme}${styles}</head><body${body}>`
}

/**
 * Returns HTML that is safe to display: a fragment, or a document without end tags if the message has own style
 * sheets or a doctype. Removes scripts, forms, frames, external styles and the addresses of tracking pixels.
 * Addresses of other remote images are in `data-src` and `data-remote-images`.
 */
export const sanitizeHtml = (given: string, parts: Parts): string => {
  const sanitize = require('sanitize-html') as typeof import('sanitize-html')
  const { html, isTruncated } = limitHtml(given)
  const source = closeForeignTags(html)
  const images = new StyleImages(parts)
  const start = writeShell(readShell(source), images)
  const sanitized = (start + sanitize(source, createOptions(parts, images))).trim()
  return isTruncated ? addTruncationNote(sanitized) : sanitized
}

/** Sanitizes stored HTML again after an import. HTML that was sanitized before stays unchanged. */
export const sanitizeAgain = (html: string, emailId: number): string =>
  sanitizeHtml(html, { toUrl: () => undefined, attachmentPrefix: `/api/emails/${emailId}/attachments/` })

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: MAX_LENGTH, maxDepth: 250 },
  selectors: [
    {
      selector: 'a',
      options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, linkBrackets: ['<', '>'] },
    },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
}

let convertHtml: ((html: string) => string) | undefined

/** Converts sanitized HTML to text, for messages without a text body. */
export const textOfHtml = (html: string): string => {
  // Compiled once, at the first use: compiling takes as long as converting most messages.
  convertHtml ??= (require('html-to-text') as typeof import('html-to-text')).compile(TEXT_OPTIONS)
  return convertHtml(html.slice(0, MAX_LENGTH)).trim()
}
