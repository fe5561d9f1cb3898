const BLOCK =
  /^(?:address|article|aside|blockquote|center|dd|div|dl|dt|fieldset|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)$/
const SPACED = /^(?:p|h[1-6]|ul|ol|blockquote|pre|table)$/

export const parseHtml = (html: string): HTMLElement =>
  new DOMParser().parseFromString(html, 'text/html').body

const isBlock = (node: Node): node is Element =>
  node instanceof Element && (BLOCK.test(node.localName) || [...node.children].some(isBlock))

const toInlineText = (node: Node): string => {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/[\t\n\r ]+/g, ' ')
  if (!(node instanceof Element)) return ''
  if (node.localName === 'br') return '\n'
  const text = [...node.childNodes].map(toInlineText).join('')
  const href = node.localName === 'a' ? (node.getAttribute('href') ?? '') : ''
  const isKnown = href === '' || href === text || href === `mailto:${text}` || text === ''
  return isKnown ? text : `${text} <${href}>`
}

const trimBlank = (lines: readonly string[]): string[] => {
  const first = lines.findIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1)
}

const toListLines = (list: Element): string[] =>
  [...list.children].flatMap((item, index) => {
    const mark = list.localName === 'ol' ? `${index + 1}. ` : '- '
    const [first = '', ...rest] = trimBlank(toLines(item)).filter((line) => line !== '')
    return [mark + first, ...rest.map((line) => ' '.repeat(mark.length) + line)]
  })

const toBlockLines = (block: Element): string[] => {
  switch (block.localName) {
    case 'hr':
      return ['---']
    case 'ul':
    case 'ol':
      return toListLines(block)
    case 'blockquote':
      return trimBlank(toLines(block)).map((line) =>
        line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd(),
      )
    case 'pre':
      return (block.textContent ?? '').split('\n')
    case 'tr':
      return [[...block.children].map((cell) => trimBlank(toLines(cell)).join(' ')).join('  ')]
    default:
      return toLines(block)
  }
}

const toLines = (parent: Element): string[] => {
  const lines: string[] = []
  let inline = ''
  const flush = (): void => {
    if (inline.trim() !== '') lines.push(...inline.split('\n').map((line) => line.trim()))
    inline = ''
  }
  for (const child of parent.childNodes) {
    if (!isBlock(child)) {
      inline += toInlineText(child)
      continue
    }
    flush()
    const isSpaced = SPACED.test(child.localName)
    if (isSpaced && lines.length > 0 && lines.at(-1) !== '') lines.push('')
    lines.push(...toBlockLines(child))
    if (isSpaced) lines.push('')
  }
  flush()
  return lines
}

/** Converts HTML to plain text: lists get marks, quotes get `>`, and links keep their address. */
export const htmlToText = (html: string): string => trimBlank(toLines(parseHtml(html))).join('\n')

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const toParagraphs = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .split(/\n(?:[ \t]*\n)+/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

/** Converts plain text to HTML. An empty line ends a paragraph, and lines with `>` become a quote. */
export const textToHtml = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const parts: string[] = []
  for (let at = 0; at < lines.length; ) {
    const isQuote = lines[at]?.startsWith('>') ?? false
    let end = at
    while (end < lines.length && (lines[end]?.startsWith('>') ?? false) === isQuote) end++
    const group = lines.slice(at, end)
    parts.push(
      isQuote
        ? `<blockquote>${textToHtml(group.map((line) => line.replace(/^> ?/, '')).join('\n'))}</blockquote>`
        : toParagraphs(group),
    )
    at = end
  }
  return parts.join('')
}

const FORMATTING =
  'b,strong,i,em,u,s,strike,del,code,pre,h1,h2,h3,h4,h5,h6,img,table,hr,font,[style*="color"],[style*="font"]'

/** Whether the conversion to plain text loses something that the user sees. */
export const losesFormatting = (html: string): boolean => parseHtml(html).querySelector(FORMATTING) !== null

const CONTENT_ID = /\bsrc="cid:([\w-]+)"/g

/** Ids of the attachments that the HTML shows. */
export const listInlineIds = (html: string | null): Set<string> =>
  new Set([...(html ?? '').matchAll(CONTENT_ID)].map(([, id = '']) => id))

/** Replaces the ids of images that were uploaded again. */
export const replaceInlineIds = (html: string, ids: ReadonlyMap<string, string>): string =>
  html.replace(CONTENT_ID, (source, id: string) => (ids.has(id) ? `src="cid:${ids.get(id)}"` : source))

/** Refers to the attachments of an email as `cid:`, which the API accepts in every email. */
export const toInlineSources = (html: string, emailId: number): string =>
  html.replaceAll(`src="/api/emails/${emailId}/attachments/`, 'src="cid:')
