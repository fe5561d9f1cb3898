const MAX_TITLE_LENGTH = 200
const MAX_BODY_LENGTH = 500
const MAX_NAME_LENGTH = 120

/**
 * Control characters, line ends, invisible characters and changes of the text direction. Text of a stranger
 * must not start a line or a header, or be displayed backwards.
 */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu

const truncate = (text: string, most: number): string => {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** Converts text to one line that both databases can store and a header can contain. */
const toPlainLine = (text: string, most: number): string =>
  truncate(text.toWellFormed().replace(UNSAFE_CHARACTERS, ' ').replace(/\s+/g, ' ').trim(), most)

export const toTitle = (text: string): string => toPlainLine(text, MAX_TITLE_LENGTH)
export const toBody = (text: string): string => toPlainLine(text, MAX_BODY_LENGTH)

/** Text of a problem or a promise. Null if it is empty or no text. */
export const toLine = (text: unknown): string | null => (typeof text === 'string' && toBody(text)) || null

/** Normalizes a name that may be very long. Null if it is empty or no text. */
export const toName = (text: unknown): string | null =>
  (typeof text === 'string' && toPlainLine(text, MAX_NAME_LENGTH)) || null
