/**
 * Converts a text to lower case with unchanged offsets, and typographic apostrophes to plain ones.
 * Case-sensitive matching is several times faster. A text is therefore converted once and matched with
 * lower-case patterns.
 */
export const smallOf = (text: string): string => {
  const lower = text.toLowerCase()
  // "İ" becomes two characters in lower case, which would shift the offsets.
  const aligned = lower.length === text.length ? lower : text.replaceAll('İ', 'I').toLowerCase()
  return aligned.replaceAll('’', "'")
}
