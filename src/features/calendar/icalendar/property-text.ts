import { type ContentLine, parameterOf } from './lines.ts'
import { cleanText, decodeQuotedPrintable, splitList, unescapeText } from './text.ts'

/** What a line of text says, as a database will keep it. */
export const textOf = (line: ContentLine): string => {
  const isQuotedPrintable = line.parameters.some(({ values }) =>
    values.some((v) => /^QUOTED-PRINTABLE$/i.test(v)),
  )
  const value = isQuotedPrintable
    ? decodeQuotedPrintable(line.value, parameterOf(line, 'CHARSET') ?? 'utf-8')
    : line.value
  return cleanText(unescapeText(value).replace(/\r\n?/g, '\n'))
}

/** The first that says anything: some programs write an empty one beside the real one. */
export const textIn = (lines: ContentLine[]): string =>
  lines.map(textOf).find((text) => text.trim() !== '') ?? ''

export const readTags = (lines: ContentLine[]): string[] =>
  [
    ...new Set(
      lines.flatMap((line) => splitList(line.value).map((value) => textOf({ ...line, value }).trim())),
    ),
  ].filter((tag) => tag !== '')
