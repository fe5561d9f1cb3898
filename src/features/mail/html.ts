import { createRequire } from 'node:module'
import type { HtmlToTextOptions } from 'html-to-text'
import type { Attributes, IFrame, IOptions } from 'sanitize-html'

const FOREIGN = new Set(['svg', 'math'])
/** HTML tags that implicitly close an open <svg> or <math> (HTML standard, section 13.2.6.5). */
const BREAKOUT_TAGS =
  'b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li ' +
  'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
const BREAKOUT_PREFIXES = new Set([...BREAKOUT_TAGS.split(' ').map((name) => `<${name}`), '</p', '</br'])
/** The content of these tags is not displayed. An unclosed one must not hide the rest of a message. */
const HIDDEN_TAGS = ['noscript', 'template', 'object', 'select', 'option']

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

const TEXT_TAGS = [
  'p',
  'div',
  'span',
  'br',
  'hr',
  'wbr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'center',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'strike',
  'del',
  'ins',
  'small',
  'big',
  'sub',
  'sup',
  'mark',
  'font',
  'code',
  'kbd',
  'samp',
  'var',
  'tt',
  'q',
  'cite',
  'abbr',
  'address',
  'time',
  'bdi',
  'bdo',
  'ruby',
  'rt',
  'rp',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'figure',
  'figcaption',
  'details',
  'summary',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'aside',
  'nav',
  'table',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'caption',
  'colgroup',
  'col',
]

const LENGTH =
  /^(?:auto|normal|0|-?\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|ex|ch|%|in|cm|mm)?)(?:\s+(?:auto|0|\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)?)){0,3}$/
const SIZE =
  /^(?:auto|0|\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)|x{0,2}-?(?:small|large)|medium|smaller|larger)$/
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|(?:rgb|hsl)a?\([\d\s.,%/]{5,40}\))$/i
const KEYWORDS = /^[a-z -]{2,40}$/
const FONTS = /^[\w\s,'"-]{1,200}$/
const BORDER = /^(?:[\w#.%\s-]|(?:rgb|hsl)a?\([\d\s.,%/]{5,40}\)){1,100}$/i

/** Allows colours, fonts and sizes. Nothing may load resources, hide content or leave the message area. */
const STYLES: Record<string, RegExp[]> = {
  color: [COLOUR],
  'background-color': [COLOUR],
  'font-family': [FONTS],
  'font-size': [SIZE],
  'font-style': [KEYWORDS],
  'font-weight': [/^(?:[a-z]{4,8}|[1-9]00)$/],
  'line-height': [LENGTH],
  'letter-spacing': [LENGTH],
  'text-align': [KEYWORDS],
  'text-decoration': [KEYWORDS],
  'text-indent': [/^\d{1,3}(?:px|pt|em)$/],
  'text-transform': [KEYWORDS],
  'vertical-align': [KEYWORDS, SIZE],
  'white-space': [KEYWORDS],
  'list-style-type': [KEYWORDS],
  'border-collapse': [KEYWORDS],
  'border-spacing': [LENGTH],
  'border-radius': [LENGTH],
  direction: [/^(?:ltr|rtl)$/],
  width: [SIZE],
  'max-width': [SIZE],
  'min-width': [SIZE],
  height: [SIZE],
}
for (const side of ['', '-top', '-right', '-bottom', '-left']) {
  STYLES[`padding${side}`] = [LENGTH]
  STYLES[`border${side}`] = [BORDER]
  // A negative margin could place the message over the surrounding page.
  STYLES[`margin${side}`] = [/^(?!.*-\d)[\w\s.%]{1,40}$/]
}
for (const part of ['color', 'style', 'width']) STYLES[`border-${part}`] = [BORDER]

const isTrackingPixel = ({ width, height, style = '' }: Attributes): boolean => {
  const isTiny = (size: string | undefined): boolean =>
    size !== undefined && /^[01](?:px)?$/.test(size.trim())
  const tinyStyle = /(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)/i
  const hidden = /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\D|$)/i
  return isTiny(width) || isTiny(height) || tinyStyle.test(style) || hidden.test(style)
}

const REMOTE = /^(?:https?:)?\/\//i
const DATA_IMAGE = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,[\w+/=\s]+$/i

interface Parts {
  /** The URL of an attachment of this message, by its Content-ID. */
  toUrl(contentId: string): string | undefined
  /** For HTML that was sanitized before: the URL prefix of the attachments of its email. */
  attachmentPrefix?: string
}

/**
 * Displays images of the message itself. Remote images are loaded only on request; until then their URL is in
 * `data-src`.
 */
const toImageSource = (src: string, { toUrl }: Parts): Attributes => {
  const trimmed = src.trim()
  const [, contentId] = /^cid:(.+)$/i.exec(trimmed) ?? []
  if (contentId !== undefined) {
    const url = toUrl(decode(contentId)) ?? toUrl(contentId)
    return url === undefined ? {} : { src: url }
  }
  if (DATA_IMAGE.test(trimmed)) return { src: trimmed }
  return REMOTE.test(trimmed) ? { 'data-src': trimmed.startsWith('//') ? `https:${trimmed}` : trimmed } : {}
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Accepts only the sources that `toImageSource` produces. */
const toStoredImageSource = (attributes: Attributes, attachmentPrefix: string): Attributes => {
  const { src = '', 'data-src': remote = '' } = attributes
  if (src.startsWith(attachmentPrefix) && /^[\w-]+$/.test(src.slice(attachmentPrefix.length))) return { src }
  if (DATA_IMAGE.test(src)) return { src }
  return /^https?:\/\//i.test(remote) ? { 'data-src': remote } : {}
}

const IMAGE_ATTRIBUTES = ['alt', 'title', 'width', 'height', 'style', 'align']

const createOptions = (parts: Parts): IOptions => ({
  allowedTags: [...TEXT_TAGS, 'a', 'img'],
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'title', 'align', 'valign', 'width', 'height', 'bgcolor'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'data-src', 'alt'],
    font: ['color', 'face', 'size'],
    // The composer finds the quoted mail and the signature of a draft by these.
    blockquote: ['type'],
    div: ['data-part'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    table: ['cellpadding', 'cellspacing', 'border', 'role'],
    td: ['colspan', 'rowspan', 'nowrap'],
    th: ['colspan', 'rowspan', 'nowrap', 'scope'],
    col: ['span'],
    colgroup: ['span'],
    time: ['datetime'],
  },
  allowedStyles: { '*': STYLES },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  // `toImageSource` restricts the sources to attachment paths and data URLs of images.
  allowedSchemesByTag: { img: ['data', 'http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'data-src'],
  allowProtocolRelative: false,
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'select',
    'noscript',
    'title',
    'template',
    'xmp',
    'iframe',
    'noembed',
    'noframes',
    'object',
    'math',
    'svg',
  ],
  nestingLimit: 200,
  transformTags: {
    '*': (tagName, attribs) =>
      attribs.style === undefined || isPlainStyle(attribs.style)
        ? { tagName, attribs }
        : {
            tagName,
            attribs: Object.fromEntries(Object.entries(attribs).filter(([name]) => name !== 'style')),
          },
    a: (tagName, { href = '', style, title }) => ({
      tagName,
      attribs: {
        // Drop relative links: a sender cannot mean a page of this application.
        ...(/^\s*(?:https?:\/\/|mailto:|tel:)/i.test(href) && {
          href: href.trim(),
          target: '_blank',
          rel: 'noopener noreferrer nofollow',
        }),
        ...(style !== undefined && { style }),
        ...(title !== undefined && { title }),
      } as Attributes,
    }),
    img: (tagName, attributes) => ({
      tagName,
      attribs: {
        ...Object.fromEntries(
          IMAGE_ATTRIBUTES.flatMap((name) =>
            attributes[name] === undefined ? [] : [[name, attributes[name]]],
          ),
        ),
        ...(isTrackingPixel(attributes)
          ? {}
          : parts.attachmentPrefix === undefined
            ? toImageSource(attributes.src ?? '', parts)
            : toStoredImageSource(attributes, parts.attachmentPrefix)),
      } as Attributes,
    }),
  },
  // Remove images without a source, such as tracking pixels.
  exclusiveFilter: ({ tag, attribs }: IFrame) =>
    tag === 'img' && attribs.src === undefined && attribs['data-src'] === undefined,
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

/** Legitimate styles contain no braces. Each brace makes the CSS parser recurse. */
const MAX_STYLE_LENGTH = 2_000
const isPlainStyle = (style: string): boolean => style.length <= MAX_STYLE_LENGTH && !/[{}]/.test(style)

export const TRUNCATION_NOTE =
  '[This message is longer than what is shown. Download the original to read all of it.]'

const TRUNCATION_PARAGRAPH = `<p>${TRUNCATION_NOTE}</p>`

/** Adds the note unless the HTML already ends with it. */
export const addTruncationNote = (html: string): string =>
  html.endsWith(TRUNCATION_PARAGRAPH) ? html : html + TRUNCATION_PARAGRAPH

/**
 * Returns HTML that is safe to display. Removes scripts, forms, frames, external styles and tracking pixels.
 */
export const sanitiseHtml = (given: string, parts: Parts): string => {
  const sanitize = require('sanitize-html') as typeof import('sanitize-html')
  const { html, isTruncated } = limitHtml(given)
  const sanitised = sanitize(closeForeignTags(html), createOptions(parts)).trim()
  return isTruncated ? addTruncationNote(sanitised) : sanitised
}

/** Sanitizes stored HTML again after an import. HTML that was sanitized before stays unchanged. */
export const sanitiseAgain = (html: string, emailId: number): string =>
  sanitiseHtml(html, { toUrl: () => undefined, attachmentPrefix: `/api/emails/${emailId}/attachments/` })

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

/** Compiles the converter once, at the first use: compiling takes as long as converting most messages. */
const createConverter = (): ((html: string) => string) => {
  let convert: ((html: string) => string) | undefined
  return (html) => {
    convert ??= (require('html-to-text') as typeof import('html-to-text')).compile(TEXT_OPTIONS)
    return convert(html)
  }
}
const convertHtml = createConverter()

/** Converts sanitized HTML to text, for messages without a text body. */
export const textOfHtml = (html: string): string => convertHtml(html.slice(0, MAX_LENGTH)).trim()
