const MOST_OCTETS = 75

/** A content line as it goes into a file: folded before the 76th octet, never inside a character (RFC 5545, 3.1). */
export const fold = (text: string): string => {
  // Whatever a line is made of, it does not become two.
  const line = text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]+/g, ' ') : text
  if (line.length <= MOST_OCTETS && Buffer.byteLength(line) <= MOST_OCTETS) return `${line}\r\n`
  let folded = ''
  let start = 0
  let octets = 0
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index)
    const isPair = code >= 0xd800 && code <= 0xdbff
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3
    if (octets + size > MOST_OCTETS) {
      folded += `${line.slice(start, index)}\r\n `
      start = index
      octets = 1
    }
    octets += size
    if (isPair) index++
  }
  return `${folded}${line.slice(start)}\r\n`
}
