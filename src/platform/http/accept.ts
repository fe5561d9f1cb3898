import type { IncomingHttpHeaders } from 'node:http'

/** How much a type that is named is wanted, from 0 (not at all) to 1 (RFC 9110, 12.5.1). */
const qualityOf = (accept: string, type: string): number => {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return weight === undefined ? 1 : Number(weight) || 0
  }
  return 0
}

export const takesPages = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  qualityOf(accept, 'text/html') > 0

/** Whether the answer is wanted as it comes about, where it may also come whole. */
export const takesEvents = ({ accept = '' }: IncomingHttpHeaders): boolean => {
  const quality = qualityOf(accept, 'text/event-stream')
  return quality > 0 && quality >= qualityOf(accept, 'application/json')
}
