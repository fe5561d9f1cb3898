import { replyOf } from '../history.ts'

const SNIPPET_LENGTH = 200
/** What a snippet is made of stands at the beginning. */
const LOOKED_AT = 50_000

/** The first words that somebody wrote, on one line; those of the history where there are no others, as in a forward. */
export const snippetOf = (text: string): string => {
  const beginning = text.slice(0, LOOKED_AT)
  const line = (replyOf(beginning) || replyOf(beginning, true) || beginning)
    .replace(/https?:\/\/\S{60,}/g, '…')
    .replace(/(?:[\s\u00ad\u200b-\u200f\u2060\ufeff]|\u034f)+/g, ' ')
    .trim()
  if (line.length <= SNIPPET_LENGTH) return line
  return `${line
    .slice(0, SNIPPET_LENGTH - 1)
    .replace(/\s\S{0,20}$/, '')
    .toWellFormed()}…`
}
