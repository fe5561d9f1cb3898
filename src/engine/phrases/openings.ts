const LETTERS = /^[a-z0-9ß-ÿ]+/

/** Where the bracket that opens here is closed. */
const closeOf = (source: string, open: number): number => {
  for (let depth = 0, at = open; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = source.indexOf(']', at)
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) return at
  }
  throw new Error(`A bracket is not closed in ${source}`)
}

const alternativesOf = (source: string): string[] => {
  const alternatives: string[] = []
  let from = 0
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '[') at = source.indexOf(']', at)
    else if (source[at] === '(') at = closeOf(source, at)
    else if (source[at] === '|') {
      alternatives.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...alternatives, source.slice(from)]
}

const openingsOfOne = (alternative: string): string[] => {
  const source = alternative.replace(/^\\b/, '')
  const letters = LETTERS.exec(source)?.[0]
  if (letters) {
    // The last letter may be left out: "meetings?".
    const sure = /^[?*{]/.test(source.slice(letters.length)) ? letters.slice(0, -1) : letters
    if (sure !== '') return [sure]
  }
  if (source.startsWith('\\d')) return [...'0123456789']
  if (source.startsWith('(?:')) {
    const close = closeOf(source, 0)
    const own = openingsOf(source.slice(3, close))
    return source[close + 1] === '?' ? [...own, ...openingsOfOne(source.slice(close + 2))] : own
  }
  throw new Error(`Nothing is known of how ${alternative} begins`)
}

/** The letters with which whatever fits a pattern begins; the pattern is in small letters and begins with words. */
export const openingsOf = (source: string): string[] => alternativesOf(source).flatMap(openingsOfOne)
