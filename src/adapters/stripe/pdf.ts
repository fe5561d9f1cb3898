import { upstreamFailed } from '../../platform/outbound/failures.ts'
import type { Outbound, Trust } from '../../platform/outbound/outbound.ts'

const LARGEST_PDF = 20 * 1024 * 1024
const TIMEOUT_MS = 30_000
const MARK = Buffer.from('%PDF-')

const noPdf = (): Error => upstreamFailed('Stripe did not give the invoice as a PDF.')

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Begins to read a PDF: its first bytes are here when this returns, and say that it is one. */
export const fetchPdf = async (
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  trust: Trust,
): Promise<AsyncIterable<Uint8Array>> => {
  const answer = await outbound.fetch(url, { trust, timeoutMs: TIMEOUT_MS, maxBytes: LARGEST_PDF })
  if (answer.status !== 200) {
    answer.discard()
    throw noPdf()
  }
  const chunks = answer.stream()[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < MARK.length) {
    const next = await chunks.next()
    if (next.done) throw noPdf()
    first = Buffer.concat([first, next.value])
  }
  if (!first.subarray(0, MARK.length).equals(MARK)) {
    await chunks.return?.()
    throw noPdf()
  }
  return joined(first, chunks)
}
