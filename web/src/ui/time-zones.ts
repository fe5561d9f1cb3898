import type { Choice } from './combobox-field.tsx'

/** The server may know a time zone that this browser does not. */
const offsetOf = (timeZone: string, now: Date): string => {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(now)
    return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC')
  } catch {
    return ''
  }
}

/** Computes the offset when it is read: the offsets of all time zones take 100 ms. */
const createChoice = (timeZone: string, now: Date): Choice => {
  let offset: string | undefined
  return {
    value: timeZone,
    label: timeZone.replaceAll('_', ' ').replaceAll('/', ' / '),
    get note() {
      offset ??= offsetOf(timeZone, now)
      return offset
    },
  }
}

/** All time zones of this browser plus `own`, which may be newer than the browser's list. */
export const listTimeZones = (own: string, now = new Date()): Choice[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])]
    .sort()
    .map((timeZone) => createChoice(timeZone, now))
