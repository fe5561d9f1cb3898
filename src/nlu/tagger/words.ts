export interface Word {
  text: string
  from: number
  to: number
}

const WORD =
  /[\p{L}\p{N}_.%+-]+@[\p{L}\p{N}_.-]+[\p{L}\p{N}]|['’](?:s|ll|ve|re|d|m)(?![\p{L}\p{N}])|\p{N}+(?:[.:,]\p{N}+)*|\p{L}+(?:['’](?!(?:s|ll|ve|re|d|m)(?![\p{L}\p{N}]))\p{L}+)*|\S/giu

/** Splits a text into words, numbers, addresses and punctuation marks. Letters and digits are apart. */
export const splitWords = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
  }))
