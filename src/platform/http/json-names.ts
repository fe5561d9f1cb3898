const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Where the string that begins at `start` ends: its closing quote. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
}

const COLON = /[ \t\r\n]*:/y

const isName = (text: string, end: number): boolean => {
  COLON.lastIndex = end + 1
  return COLON.test(text)
}

/**
 * A name that one object has twice, in text that is JSON. `JSON.parse` takes the last and says nothing, and nothing is
 * dropped silently here (RFC 8259 section 4 leaves it open).
 */
export const findNameGivenTwice = (text: string): string | undefined => {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b) open.push(new Set())
    else if (code === 0x7d) open.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (isName(text, end)) {
        const written = text.slice(at + 1, end)
        const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
        const names = open.at(-1) as Set<string>
        if (names.has(name)) return name
        names.add(name)
      }
      at = end
    }
  }
  return undefined
}
