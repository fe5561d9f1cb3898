import * as t from '#locale/billing'
import { usePreferences } from '../../../api/account.ts'
import { toFormatLocale } from '../../../locales/languages.ts'

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

const createAmounts = (locale: string) => {
  const format = (value: number, options?: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(locale, options).format(value)
  return {
    count: (value: number): string => format(value),
    dollars: (amount: number): string =>
      format(amount, {
        style: 'currency',
        currency: 'USD',
        maximumFractionDigits: amount !== 0 && amount < 1 ? 4 : 2,
      }),
    /** Formats an amount in the smallest unit of its currency. */
    money(amount: number, currency: string): string {
      const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
      return money.format(amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2))
    },
    bytes(count: number): string {
      const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3))
      return format(count / 1000 ** step, {
        style: 'unit',
        unit: BYTE_UNITS[step] ?? 'byte',
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: 1,
      })
    },
    duration: (value: number, unit: 'minute' | 'millisecond'): string =>
      format(value, { style: 'unit', unit, unitDisplay: 'short' }),
  }
}

export type Amounts = ReturnType<typeof createAmounts>

/** Formatters for amounts in the locale of the user. */
export const useAmounts = (): Amounts => createAmounts(toFormatLocale(usePreferences().data?.value.locale))

/** Measures of usage: the formatter, and the size of one unit that a budget is entered in. */
const MEASURE_UNITS = {
  aiCostUsd: { format: 'dollars', unit: 1 },
  aiRequests: { format: 'count', unit: 1 },
  aiTokens: { format: 'count', unit: 1 },
  messagesSynced: { format: 'count', unit: 1 },
  storageBytes: { format: 'bytes', unit: 1e9 },
} as const

export type Measure = keyof typeof MEASURE_UNITS
export const MEASURES = Object.keys(MEASURE_UNITS) as Measure[]

export const labelOf = (measure: Measure): string => t.measures[measure]
export const unitOf = (measure: Measure): number => MEASURE_UNITS[measure].unit
export const formatMeasure = (amounts: Amounts, measure: Measure, value: number): string =>
  amounts[MEASURE_UNITS[measure].format](value)
