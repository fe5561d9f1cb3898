import { createRequire } from 'node:module'
import type { HtmlToTextOptions } from 'html-to-text'
import type { Attributes, IFrame, IOptions } from 'sanitize-html'
import { endTags } from './unended-tags.ts'

const require = createRequire(import.meta.url)

/** More than this nobody reads; programs that show mail cut far earlier. */
const LARGEST = 512 * 1024
/** No honest page is nested deeper; the parser slows down with the square of it. */
const DEEPEST = 500
/** Of end tags that end nothing: the parser looks through all open tags for each of them. */
const MOST_STRAY = 1_000

const TEXT_TAGS = [
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
  ],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'details', 'summary'],
  ...['section', 'article', 'header', 'footer', 'main', 'aside', 'nav'],
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption', 'colgroup', 'col'],
]

const LENGTH =
  /^(?:auto|normal|0|-?\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|ex|ch|%|in|cm|mm)?)(?:\s+(?:auto|0|\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)?)){0,3}$/
const SIZE =
  /^(?:auto|0|\d{1,4}(?:\.\d{1,4})?(?:px|pt|em|rem|%)|x{0,2}-?(?:small|large)|medium|smaller|larger)$/
const COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|(?:rgb|hsl)a?\([\d\s.,%/]{5,40}\))$/i
const WORDS = /^[a-z -]{2,40}$/
const FONTS = /^[\w\s,'"-]{1,200}$/
const BORDER = /^(?:[\w#.%\s-]|(?:rgb|hsl)a?\([\d\s.,%/]{5,40}\)){1,100}$/i

/** Looks and measures. Nothing that fetches, nothing that leaves its place on the page, nothing that hides. */
const STYLES: Record<string, RegExp[]> = {
  color: [COLOUR],
  'background-color': [COLOUR],
  'font-family': [FONTS],
  'font-size': [SIZE],
  'font-style': [WORDS],
  'font-weight': [/^(?:[a-z]{4,8}|[1-9]00)$/],
  'line-height': [LENGTH],
  'letter-spacing': [LENGTH],
  'text-align': [WORDS],
  'text-decoration': [WORDS],
  'text-indent': [/^\d{1,3}(?:px|pt|em)$/],
  'text-transform': [WORDS],
  'vertical-align': [WORDS, SIZE],
  'white-space': [WORDS],
  'list-style-type': [WORDS],
  'border-collapse': [WORDS],
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
  // A negative margin would lay a message over what is around it.
  STYLES[`margin${side}`] = [/^(?!.*-\d)[\w\s.%]{1,40}$/]
}
for (const part of ['color', 'style', 'width']) STYLES[`border-${part}`] = [BORDER]

const isPixel = ({ width, height, style = '' }: Attributes): boolean => {
  const isTiny = (size: string | undefined): boolean =>
    size !== undefined && /^[01](?:px)?$/.test(size.trim())
  const tinyStyle = /(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)/i
  const hidden = /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\D|$)/i
  return isTiny(width) || isTiny(height) || tinyStyle.test(style) || hidden.test(style)
}

const REMOTE = /^(?:https?:)?\/\//i
const DATA_IMAGE = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,[\w+/=\s]+$/i

interface Parts {
  /** Where an attachment of this message is found, by the name that `cid:` gives it. */
  urlOf(contentId: string): string | undefined
  /** Of HTML that claims to have been sanitised: where the files of its e-mail are found. */
  filesAt?: string
}

/** A picture that is part of the message is shown; one that lies elsewhere waits in `data-src` until it is asked for. */
const imageSource = (src: string, { urlOf }: Parts): Attributes => {
  const trimmed = src.trim()
  const [, contentId] = /^cid:(.+)$/i.exec(trimmed) ?? []
  if (contentId !== undefined) {
    const url = urlOf(decode(contentId)) ?? urlOf(contentId)
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

/** As `imageSource` left it. */
const keptSource = (attributes: Attributes, filesAt: string): Attributes => {
  const { src = '', 'data-src': remote = '' } = attributes
  if (src.startsWith(filesAt) && /^[\w-]+$/.test(src.slice(filesAt.length))) return { src }
  if (DATA_IMAGE.test(src)) return { src }
  return /^https?:\/\//i.test(remote) ? { 'data-src': remote } : {}
}

const KEPT_IMAGE = ['alt', 'title', 'width', 'height', 'style', 'align']

const optionsFor = (parts: Parts): IOptions => ({
  allowedTags: [...TEXT_TAGS, 'a', 'img'],
  allowedAttributes: {
    '*': ['style', 'dir', 'lang', 'title', 'align', 'valign', 'width', 'height', 'bgcolor'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'data-src', 'alt'],
    font: ['color', 'face', 'size'],
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
  // Its sources are made by `imageSource`, and are then no address of a scheme, or a picture's own bytes.
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
        // An address within our own pages is none that a sender can mean.
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
          KEPT_IMAGE.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
        ),
        ...(isPixel(attributes)
          ? {}
          : parts.filesAt === undefined
            ? imageSource(attributes.src ?? '', parts)
            : keptSource(attributes, parts.filesAt)),
      } as Attributes,
    }),
  },
  // What has nothing to show, or only reports that the message was opened.
  exclusiveFilter: ({ tag, attribs }: IFrame) =>
    tag === 'img' && attribs.src === undefined && attribs['data-src'] === undefined,
})

const TAG = /<(\/?)([a-z][a-z0-9]*)/gi
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
/** Their end may be left out: the next one of its kind ends them. */
const SELF_ENDING = /^(?:p|li|dt|dd|td|th|tr|option|thead|tbody|tfoot)$/
const NEAR = 30

interface Bounded {
  html: string
  /** Something was left out. */
  isCut: boolean
}

/** As much of it as is not nested beyond reason. Where end tags without a start are many, they are left out. */
const bounded = (html: string): Bounded => {
  const text = html.slice(0, LARGEST)
  const open: string[] = []
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  const pieces: string[] = []
  let kept = 0
  let strays = 0
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, given = ''] = match
    const name = given.toLowerCase()
    if (VOID.test(name)) continue
    if (slash !== '/') {
      if (SELF_ENDING.test(name) && open.at(-1) === name) continue
      if (open.length >= DEEPEST)
        return { html: pieces.join('') + text.slice(kept, match.index), isCut: true }
      open.push(name)
      counts.set(name, count(name) + 1)
      continue
    }
    const at = count(name) === 0 ? -1 : open.lastIndexOf(name)
    if (at >= 0 && at >= open.length - NEAR)
      for (const ended of open.splice(at)) counts.set(ended, count(ended) - 1)
    else if (at < 0 && ++strays > MOST_STRAY) {
      pieces.push(text.slice(kept, match.index))
      // Read as a comment, which is not shown.
      kept = match.index + tag.length
      if (text[kept] === '>') kept++
      else pieces.push('</ ')
    }
  }
  return { html: pieces.join('') + text.slice(kept), isCut: html.length > LARGEST }
}

/** No honest style has braces, and each makes the parser of styles go one level deeper. */
const MOST_STYLE = 2_000
const isPlainStyle = (style: string): boolean => style.length <= MOST_STYLE && !/[{}]/.test(style)

export const CUT_NOTE =
  '[This message is longer than what is shown. Download the original to read all of it.]'

const CUT_PARAGRAPH = `<p>${CUT_NOTE}</p>`

/** Says once that something is missing. */
export const withCutNote = (html: string): string =>
  html.endsWith(CUT_PARAGRAPH) ? html : html + CUT_PARAGRAPH

/** HTML that may be shown. Scripts, forms, frames, outside styles and pixels that tell on the reader are gone. */
export const sanitiseHtml = (given: string, parts: Parts): string => {
  const sanitize = require('sanitize-html') as typeof import('sanitize-html')
  const { html, isCut } = bounded(given)
  const shown = sanitize(endTags(html), optionsFor(parts)).trim()
  return isCut ? withCutNote(shown) : shown
}

/** HTML that was kept with an e-mail and has been elsewhere since: what was sanitised stays as it is. */
export const sanitiseAgain = (html: string, emailId: number): string =>
  sanitiseHtml(html, { urlOf: () => undefined, filesAt: `/api/emails/${emailId}/attachments/` })

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: LARGEST, maxDepth: 250 },
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

/** Made at first use, and once: it costs as much as most messages. */
const createConverter = (): ((html: string) => string) => {
  let convert: ((html: string) => string) | undefined
  return (html) => {
    convert ??= (require('html-to-text') as typeof import('html-to-text')).compile(TEXT_OPTIONS)
    return convert(html)
  }
}
const convertHtml = createConverter()

/** The text of sanitised HTML, for those who have no other. */
export const textOfHtml = (html: string): string => convertHtml(html.slice(0, LARGEST)).trim()
