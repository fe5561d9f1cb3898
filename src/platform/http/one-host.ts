import type { IncomingMessage } from 'node:http'
import { invalid } from '../errors.ts'

const hostOf = (scheme: string, authority: string): string | undefined =>
  URL.parse(`${scheme}//${authority}`)?.host

/**
 * RFC 9112, 3.2: whoever names two hosts has one of them looked at here and the other by whoever stands before us, so it
 * is answered by nobody.
 */
export const requireOneHost = ({ rawHeaders, headers, httpVersion, url = '/' }: IncomingMessage): void => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) throw invalid('There is more than one Host header.')
  if (count === 0 && httpVersion === '1.1') throw invalid('There is no Host header.')
  if (url.startsWith('/')) return
  const target = URL.parse(url)
  if (target !== null && target.host !== hostOf(target.protocol, headers.host ?? ''))
    throw invalid('The address that is asked for is not at the host of the Host header.')
}
