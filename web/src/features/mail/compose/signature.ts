import { htmlToText, parseHtml } from './html-text.ts'

const SIGNATURE = ':scope > div[data-part="signature"]'
/** RFC 3676, section 4.3: the line before a signature in plain text. */
const SEPARATOR = '\n-- \n'

export const toSignatureHtml = (signature: string | null): string =>
  signature ? `<div data-part="signature">${signature}</div>` : ''

export const toSignatureText = (signature: string | null): string =>
  signature ? `${SEPARATOR}${htmlToText(signature)}` : ''

/** The element before which a signature belongs: the quote with its introduction. */
const findQuote = (body: HTMLElement): Element | null => {
  const quote = body.querySelector(':scope > blockquote')
  return quote?.previousElementSibling?.localName === 'p' ? quote.previousElementSibling : quote
}

/** Replaces the signature of a message when the sender changes. */
export const replaceHtmlSignature = (html: string, signature: string | null): string => {
  const body = parseHtml(html)
  const present = body.querySelector(SIGNATURE)
  const next = parseHtml(toSignatureHtml(signature)).firstElementChild
  if (present && next) present.replaceWith(next)
  else if (present) present.remove()
  else if (next) {
    if (body.childElementCount === 0) body.append(document.createElement('p'))
    body.insertBefore(next, findQuote(body))
  }
  return body.innerHTML
}

export const replaceTextSignature = (text: string, before: string | null, after: string | null): string => {
  const [present, next] = [toSignatureText(before), toSignatureText(after)]
  if (present !== '' && text.includes(present)) return text.replace(present, next)
  const quote = /\n[^\n]*\n>/.exec(text)
  return quote ? `${text.slice(0, quote.index)}${next}${text.slice(quote.index)}` : text + next
}
