/** An image that the HTML contains as a `data:` URL. Many mail programs show it only as a related part. */
interface EmbeddedImage {
  contentId: string
  contentType: string
  content: Buffer
}

export interface OutgoingHtml {
  html: string
  /** Ids of the attachments that the HTML shows. */
  inlineIds: ReadonlySet<string>
  embedded: EmbeddedImage[]
}

const TAG = /<(\/?)(img|blockquote|p|ul|ol|div)\b([^<>]*)>/g
const EMPTY_PARAGRAPH = /<p([^<>]*)><\/p>/g
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g
const DATA_IMAGE = /^data:(image\/[\w.+-]+);base64,([\w+/=\s]+)$/

/** Mail programs have different default styles, so that the result needs inline styles to look as written. */
const STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 10px',
  ul: 'margin:0 0 10px;padding-left:24px',
  ol: 'margin:0 0 10px;padding-left:24px',
  blockquote: 'margin:0 0 10px;padding-left:12px;border-left:2px solid #ccc',
  img: 'max-width:100%;height:auto',
}

const readAttributes = (text: string): Map<string, string> =>
  new Map([...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]))

const writeTag = (name: string, attributes: ReadonlyMap<string, string>): string =>
  `<${[name, ...[...attributes].map(([key, value]) => `${key}="${value}"`)].join(' ')}>`

export const toContentId = (attachmentId: string): string => `${attachmentId}@factotum`

/**
 * Prepares stored HTML for a message. Images become related parts, and remote images get their address back.
 * The stored HTML is sanitized: attributes have double quotes and contain no angle brackets.
 */
export const toOutgoingHtml = (stored: string, emailId: number): OutgoingHtml => {
  const inlineIds = new Set<string>()
  const embedded: EmbeddedImage[] = []
  const prefix = `/api/emails/${emailId}/attachments/`
  const hasOwnStyles = /<style\b/i.test(stored)
  let quoteDepth = 0

  const toSource = (attributes: ReadonlyMap<string, string>): string => {
    const src = attributes.get('src') ?? attributes.get('data-src') ?? ''
    if (src.startsWith(prefix)) {
      const id = src.slice(prefix.length)
      inlineIds.add(id)
      return `cid:${toContentId(id)}`
    }
    const [, contentType, base64] = DATA_IMAGE.exec(src) ?? []
    if (contentType === undefined || base64 === undefined) return src
    const contentId = toContentId(`embedded-${embedded.length + 1}-${emailId}`)
    embedded.push({ contentId, contentType, content: Buffer.from(base64, 'base64') })
    return `cid:${contentId}`
  }

  const html = stored
    .replace(EMPTY_PARAGRAPH, '<p$1><br></p>')
    .replace(TAG, (tag, slash: string, name: string, rest: string) => {
      if (slash === '/') {
        if (name === 'blockquote' && quoteDepth > 0) quoteDepth--
        return tag
      }
      const attributes = readAttributes(rest)
      // Quoted mail keeps the styles of its author.
      const isQuoted = quoteDepth > 0
      if (name === 'blockquote' && (isQuoted || attributes.get('type') === 'cite')) quoteDepth++
      if (name === 'img') {
        attributes.set('src', toSource(attributes))
        attributes.delete('data-src')
      }
      attributes.delete('data-part')
      const style = STYLES[name]
      if (style !== undefined && !isQuoted && !hasOwnStyles && !attributes.has('style'))
        attributes.set('style', style)
      return writeTag(name, attributes)
    })
  return { html, inlineIds, embedded }
}
