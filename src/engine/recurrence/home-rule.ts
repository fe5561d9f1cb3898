import { DAY, HOUR, modulo } from './days.ts'
import { moveRule } from './moved-rule.ts'
import { readRule } from './read-rule.ts'
import { writeRule } from './write-rule.ts'

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The same days of the week, so many later. */
const turned = (rule: string, days: number): string =>
  rule.replace(/(?<=;BYDAY=)[A-Z,]+/, (codes) => {
    const named = codes.split(',').map((code) => modulo(CODES.indexOf(code) + days, 7))
    return CODES.filter((_, index) => named.includes(index)).join()
  })

/**
 * The rule of what comes back by the clock of another zone, on the reader's own: nine on Mondays in Sydney is late on
 * Sundays in Berlin. `there` and `home` are what the two clocks show the first time. It stays at that hour at home, also
 * in the weeks in which only one of the two has changed to summer time.
 */
export const ruleAtHome = (rule: string, there: number, home: number): string => {
  const hours = Math.floor(home / HOUR) - Math.floor(there / HOUR)
  const timed = rule.replace(/(?<=;BYHOUR=)[\d,]+/, (list) =>
    list
      .split(',')
      .map((hour) => modulo(Number(hour) + hours, 24))
      .sort((a, b) => a - b)
      .join(),
  )
  const days = Math.floor(home / DAY) - Math.floor(there / DAY)
  if (days === 0) return timed
  if (timed.startsWith('FREQ=WEEKLY')) return turned(timed, days)
  const read = readRule(timed)
  return 'fault' in read
    ? timed
    : writeRule(moveRule(read.rule, there - modulo(there, DAY), home - modulo(home, DAY)))
}
