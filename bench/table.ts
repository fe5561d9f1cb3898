import { median } from './processes.ts'

/** The promises of the service in the order of the table. `other` has figures that no promise names. */
export const GROUPS = {
  limit: 'Lists, one item, durable create, me and search, beside the plain server',
  accounts: 'Many accounts in one database, beside one account alone',
  growth: 'Growth of one account',
  logins: 'Many logins at the same time',
  process: 'Start and memory',
  stalls: 'Reading one task while four clients repeat another request',
  hostile: 'Hostile and huge input',
  sync: 'Mail from a server',
  postgres: 'PostgreSQL beside SQLite, and two instances',
  firstLoad: 'First load of the console',
  console: 'Console with a large mailbox in Chromium',
  other: 'Other figures',
} as const

export type Group = keyof typeof GROUPS

/** One condition of a promise. The median of the rounds is compared with the bound. */
export interface Check {
  /** Names the value if it is not the figure of the column `ours`, for example `CPU`. */
  name?: string
  /** The value of each round. Their spread is the noise. */
  values: readonly number[]
  atLeast?: number
  atMost?: number
  /** Follows the bound, for example ` ms`. */
  unit?: string
}

/** A measurement, as a benchmark reports it. */
export interface Measurement {
  group: Group
  work: string
  /** By default the median of the first check, with its unit. */
  ours?: string
  /** The figure that ours is compared with, for example that of the plain server. */
  limit?: string
  ratioByThroughput?: number
  ratioByCpu?: number
  /** Empty if nothing is promised. */
  checks: readonly Check[]
}

export interface Row {
  group: Group
  work: string
  ours: string
  limit: string
  ratioByThroughput: number | undefined
  ratioByCpu: number | undefined
  /** Half the interquartile range of the rounds of each check. */
  noise: readonly number[]
  promise: string
  /** `within noise` misses the bound by no more than the noise. Undefined if nothing is promised. */
  holds: 'yes' | 'within noise' | 'no' | undefined
}

/** A benchmark reports each measurement as soon as it is complete. */
export type Report = (measurement: Measurement) => void
export type Bench = (report: Report) => Promise<void>

/** Interpolates between the two nearest values. */
const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at))
}

const computeNoise = (values: readonly number[]): number =>
  (quantile(values, 0.75) - quantile(values, 0.25)) / 2

export const formatFigure = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

const formatBound = ({ name, atLeast, atMost, unit = '' }: Check): string => {
  const bounds = [
    atLeast !== undefined && `≥ ${atLeast}${unit}`,
    atMost !== undefined && `≤ ${atMost}${unit}`,
  ]
  return [name, ...bounds].filter(Boolean).join(' ')
}

const isFinding = ({ atLeast, atMost }: Check): boolean => atLeast === undefined && atMost === undefined

/** The distance to the bound. A negative one misses it. */
const computeMargin = ({ values, atLeast = -Infinity, atMost = Infinity }: Check): number => {
  const value = median([...values])
  // A value that could not be measured misses every bound.
  return Number.isNaN(value) ? -Infinity : Math.min(value - atLeast, atMost - value)
}

const judge = (checks: readonly Check[]): Row['holds'] => {
  const promised = checks.filter((check) => !isFinding(check))
  if (promised.length === 0) return undefined
  if (promised.every((check) => computeMargin(check) >= 0)) return 'yes'
  return promised.every((check) => computeMargin(check) >= -computeNoise(check.values))
    ? 'within noise'
    : 'no'
}

export const toRow = (measurement: Measurement): Row => {
  const { group, work, checks, limit = '', ratioByThroughput, ratioByCpu } = measurement
  const [first] = checks
  return {
    group,
    work,
    ours: measurement.ours ?? (first ? `${formatFigure(median([...first.values]))}${first.unit ?? ''}` : ''),
    limit,
    ratioByThroughput,
    ratioByCpu,
    noise: checks.map(({ values }) => (values.length > 1 ? computeNoise(values) : Number.NaN)),
    promise: checks
      .filter((check) => !isFinding(check))
      .map(formatBound)
      .join(', '),
    holds: judge(checks),
  }
}

const HEADER = ['work', 'ours', 'limit', 'throughput', 'CPU', 'noise', 'promise', 'holds']

const toCells = ({
  work,
  ours,
  limit,
  ratioByThroughput,
  ratioByCpu,
  noise,
  promise,
  holds,
}: Row): string[] => [
  work,
  ours,
  limit,
  ratioByThroughput?.toFixed(2) ?? '',
  ratioByCpu?.toFixed(2) ?? '',
  noise
    .filter(Number.isFinite)
    .map((each) => `± ${formatFigure(each)}`)
    .join(', '),
  promise,
  holds === undefined ? '' : holds === 'no' ? 'NO' : holds,
]

/** Formats one line for the progress. */
export const formatProgress = (row: Row): string =>
  toCells(row)
    .map((cell, index) => (index === 0 || cell === '' ? cell : `${HEADER[index]} ${cell}`))
    .filter((cell) => cell !== '')
    .join(' | ')

/** Formats one Markdown table, grouped by promise. */
export const formatTable = (rows: readonly Row[]): string => {
  const groups = (Object.keys(GROUPS) as Group[]).flatMap((group) => {
    const found = rows.filter((row) => row.group === group)
    return found.length === 0 ? [] : [[`**${GROUPS[group]}**`], ...found.map(toCells)]
  })
  const lines = [HEADER, ...groups]
  const widths = HEADER.map((_, index) =>
    Math.max(...lines.filter((cells) => cells.length > 1).map((cells) => cells[index]?.length ?? 0)),
  )
  const toLine = (cells: readonly string[]): string =>
    `| ${HEADER.map((_, index) => (cells[index] ?? '').padEnd(cells.length === 1 ? 0 : (widths[index] as number))).join(' | ')} |`
  const ruler = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [toLine(HEADER), ruler, ...groups.map(toLine)].join('\n')
}
