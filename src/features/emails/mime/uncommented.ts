/** A field with a space for each of its comments (RFC 5322, 3.2.2), which may stand anywhere but in angle brackets. */
export const withoutComments = (text: string): string => {
  let kept = ''
  let depth = 0
  let isUrl = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '\\' && depth > 0) at++
    else if (character === '(' && !isUrl) {
      if (depth++ === 0) kept += ' '
    } else if (character === ')' && depth > 0) depth--
    else if (depth === 0) {
      if (character === '<' || character === '>') isUrl = character === '<'
      kept += character
    }
  }
  return kept
}
