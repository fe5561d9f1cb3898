/** Patterns of the line before quoted text. */
const INTRODUCTIONS: readonly RegExp[] = [
  // "On Monday Ana <ana@example.org> wrote:" in the languages of common mail programs, over two lines at
  // most.
  /^(?:On|Am|Le|El|Il|Op|Em|Den|W dniu)\b[^\n]{0,300}(?:\n[^\n]{0,200})?(?:wrote|schrieb|écrit|escribió|scritto|schreef|escreveu|skrev|napisał)[^\n]{0,80}:[ \t]*$/m,
  /^-{2,}\s*(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Forwarded message)\s*-{2,}[ \t]*$/im,
  /^_{10,}\s*\n(?:From|Von|De):/m,
  /^(?:From|Von|De): [^\n]+\n(?:Sent|Gesendet|Envoyé|Date|Enviado): [^\n]+\n(?:To|An|À|Para): /m,
]

/** Start of the quoted lines at the end, which may have no introduction. */
const quotedTail = (text: string): number => {
  const lines = text.split('\n')
  let first = lines.length
  while (first > 0 && /^(?:>|\s*$)/.test(lines[first - 1] ?? '')) first--
  if (!lines.slice(first).some((line) => line.startsWith('>'))) return -1
  return lines.slice(0, first).reduce((length, line) => length + line.length + 1, 0)
}

/** Splits a message into new text and quoted history. A message that is only history is not split. */
export const splitQuote = (text: string): { own: string; quoted: string } => {
  const starts = [...INTRODUCTIONS.map((pattern) => text.search(pattern)), quotedTail(text)]
  const at = Math.min(...starts.filter((start) => start >= 0))
  if (!Number.isFinite(at) || text.slice(0, at).trim() === '') return { own: text, quoted: '' }
  return { own: text.slice(0, at).trimEnd(), quoted: text.slice(at).trim() }
}
