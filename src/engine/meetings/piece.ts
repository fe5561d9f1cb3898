/** Words of a text, and where they stand in it. */
export interface Piece {
  text: string
  offset: number
}

/** What has been understood is covered with this, so that the rest can be read without it and offsets stay. */
export const COVER = '|'

export const cover = (text: string, from: number, to: number): string =>
  text.slice(0, from) + COVER.repeat(Math.max(0, to - from)) + text.slice(to)

/** The piece between two offsets, without the white space and marks at its ends. */
export const pieceAt = (text: string, from: number, to: number): Piece | undefined => {
  let [start, end] = [from, to]
  while (start < end && /[\s,.;:!?|"“”()–—-]/.test(text[start] as string)) start++
  while (end > start && /[\s,;:!?|"“”(–—-]/.test(text[end - 1] as string)) end--
  if (
    end > start &&
    text[end - 1] === '.' &&
    !/\b(?:\p{Lu}|St|Dr|Inc|Jr|Sr|Co)\.$/u.test(text.slice(start, end))
  )
    end--
  if (end > start && text[end - 1] === ')' && !text.slice(start, end).includes('(')) end--
  return end > start ? { text: text.slice(start, end), offset: start } : undefined
}
