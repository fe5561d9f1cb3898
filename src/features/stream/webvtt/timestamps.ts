/** A time in milliseconds, and the position after it in the text. */
export interface Timestamp {
  ms: number
  end: number
}

const TIMESTAMP = /(\d+):(\d+)(?::(\d+))?\.(\d+)/y

/** WebVTT, section 6.3: "collect a WebVTT timestamp". */
export const readTimestamp = (text: string, from: number): Timestamp | undefined => {
  TIMESTAMP.lastIndex = from
  const match = TIMESTAMP.exec(text)
  if (!match) return undefined
  const [whole, first = '', second = '', third, fraction = ''] = match
  // Two parts are minutes and seconds, so the first must have two digits and be at most 59.
  const withHours = third !== undefined
  if (!withHours && (first.length !== 2 || Number(first) > 59)) return undefined
  if (second.length !== 2 || (withHours && third.length !== 2) || fraction.length !== 3) return undefined
  const [hours, minutes, seconds] = withHours
    ? [Number(first), Number(second), Number(third)]
    : [0, Number(first), Number(second)]
  if (minutes > 59 || seconds > 59) return undefined
  const ms = hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + Number(fraction)
  return { ms, end: from + whole.length }
}

/** `mark` precedes the milliseconds: a full stop in WebVTT, a comma in SubRip. */
export const writeTimestamp = (ms: number, mark: '.' | ',' = '.'): string => {
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0')
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${part(hours)}:${part(minutes)}:${part(seconds % 60)}${mark}${part(ms % 1000, 3)}`
}
