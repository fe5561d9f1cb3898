import type { Choice } from './combobox-field.tsx'

const offsetOf = (timeZone: string, now: Date): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(now)
  return (parts.find(({ type }) => type === 'timeZoneName')?.value ?? '').replace('GMT', 'UTC')
}

/** All time zones of this browser plus `own`, which may be newer than the browser's list. */
export const listTimeZones = (own: string, now = new Date()): Choice[] => {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])
  return [...names].sort().map((value) => {
    let note = ''
    try {
      note = offsetOf(value, now)
    } catch {
      // The server knows this time zone, but this browser does not.
    }
    return { value, label: value.replaceAll('_', ' ').replaceAll('/', ' / '), note }
  })
}
