const LONGEST_TITLE = 200
const LONGEST_BODY = 500

/**
 * Controls, line ends, and what turns the direction of text or cannot be seen: nothing that a stranger wrote into a
 * subject may begin a line, a header, or read backwards.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu

const cut = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** One line of plain text that both databases keep and a header may hold. */
const plain = (text: string, most: number): string =>
  cut(text.toWellFormed().replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim(), most)

export const titleOf = (text: string): string => plain(text, LONGEST_TITLE)
export const bodyOf = (text: string): string => plain(text, LONGEST_BODY)

/** A name that may be empty, or as long as somebody liked. */
export const named = (text: unknown, otherwise: string): string => {
  const name = typeof text === 'string' ? plain(text, 120) : ''
  return name === '' ? otherwise : name
}
