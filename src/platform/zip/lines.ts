const NEWLINE = 0x0a

/**
 * Splits UTF-8 into lines at newlines only. `readline` would also split at characters that JSON allows inside
 * text (U+2028).
 */
export async function* linesOf(source: AsyncIterable<Buffer>, longest: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const line of byteLinesOf(source, longest)) yield decoder.decode(line)
}

/** The same without decoding. */
export async function* byteLinesOf(source: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield kept.length === 0
        ? chunk.subarray(start, end)
        : Buffer.concat([...kept, chunk.subarray(start, end)])
      kept = []
      size = 0
      start = end + 1
    }
    size += chunk.length - start
    if (size > longest) throw new Error('a line is too long')
    if (start < chunk.length) kept.push(chunk.subarray(start))
  }
  if (size > 0) throw new Error('its last line is incomplete')
}
