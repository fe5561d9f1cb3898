import { readRule } from '../../engine/recurrence/read-rule.ts'
import { writeRule } from '../../engine/recurrence/write-rule.ts'
import { toInstant } from '../../engine/time-zones.ts'
import { invalidField } from '../../platform/errors.ts'
import { EXCLUDING } from './series.ts'
import { isoOf, isWithinReach, requireZone } from './times.ts'

/** `EXDATE;TZID=Europe/Berlin:20260406T090000,20260413T090000` */
const DATES = /^(EXDATE|RDATE)((?:;[^:]*)?):(.*)$/i
const BASIC = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

const wrong = (message: string): Error => invalidField('recurrence', message)

const readDate = (text: string, timezone: string): string => {
  const [, year, month, day, hour = '00', minute = '00', second = '00', utc] = BASIC.exec(text.trim()) ?? []
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
  const wall = Date.parse(written)
  // Days that a month does not have are read as those of the next.
  if (Number.isNaN(wall) || isoOf(wall) !== written)
    throw wrong(`has a date that is none: ${text.slice(0, 50)}`)
  const moment = isoOf(utc ? wall : toInstant(wall, timezone))
  if (!isWithinReach(moment)) throw wrong(`has a date outside of the years 1000 to 9990: ${text}`)
  return moment
}

export interface WrittenRecurrence {
  recurrence: string | null
  exdates?: string[]
  rdates?: string[]
}

/**
 * Rules on lines of their own, with or without their `RRULE:`, rules of what to leave out, and dates to leave out or
 * add as RFC 5545 has them.
 */
export const readRecurrence = (text: string, timezone: string): WrittenRecurrence => {
  const rules: string[] = []
  const exclusions: string[] = []
  const dates: { exdates?: string[]; rdates?: string[] } = {}
  for (const line of text.split(/\r?\n/).filter((line) => line.trim() !== '')) {
    const [, name, parameters = '', values] = DATES.exec(line) ?? []
    if (name === undefined || values === undefined) {
      const [, excluding, rule = ''] = /^(EXRULE:)?(.*)$/i.exec(line.trim()) ?? []
      const read = readRule(rule)
      if ('fault' in read) throw wrong(read.fault)
      if (excluding) exclusions.push(EXCLUDING + writeRule(read.rule))
      else rules.push(writeRule(read.rule))
      continue
    }
    const [, zone] = /;TZID=([^;:]+)/i.exec(parameters) ?? []
    const list = name.toUpperCase() === 'EXDATE' ? 'exdates' : 'rdates'
    const read = values
      .split(',')
      .map((value) => readDate(value, zone === undefined ? timezone : requireZone('recurrence', zone)))
    dates[list] = [...new Set([...(dates[list] ?? []), ...read])].sort()
  }
  if (rules.length === 0 && dates.rdates === undefined) throw wrong('has no rule in it')
  return { recurrence: rules.length === 0 ? null : [...rules, ...exclusions].join('\n'), ...dates }
}
