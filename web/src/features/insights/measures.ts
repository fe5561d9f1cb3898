import * as t from '#locale/insights'
import type { Shape } from '../../api/client.ts'
import { formatDuration, formatNumber } from '../../locales/format.ts'

type History = Shape<'StatsHistory'>
type Figures = History['totals']

interface Series {
  name: string
  /** One value for each interval; null if there is none. */
  values: readonly (number | null)[]
  total: number | null
}

/** One chart. */
export interface Measure {
  id: string
  title: string
  about?: string
  /** Label of the vertical axis. */
  unit: string
  /** Whether the values are counts. */
  isWhole: boolean
  series: readonly Series[]
  format: (value: number | null) => string
  formatAxis: (value: number) => string
}

const MINUTES_PER_HOUR = 60

const formatCount = (value: number | null): string => (value === null ? t.noValue : formatNumber(value))

/** Formats hours with the minutes. */
const formatHours = (value: number | null): string =>
  value === null ? t.noValue : formatDuration(Math.round(value * MINUTES_PER_HOUR))

const toHours = (minutes: number | null | undefined): number | null =>
  minutes === null || minutes === undefined ? null : minutes / MINUTES_PER_HOUR

/** Converts the history to charts. */
export const toMeasures = ({ intervals, totals }: History, locale: string): Measure[] => {
  const series = (name: string, read: (figures: Figures) => number | null | undefined): Series => ({
    name,
    values: intervals.map((figures) => read(figures) ?? null),
    total: read(totals) ?? null,
  })
  const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  const formatDollars = (value: number | null): string => (value === null ? t.noValue : dollars.format(value))
  const isPriceUnknown = [...intervals, totals].some(({ ai }) => ai?.costUsd === null)
  return [
    {
      id: 'emails',
      title: t.emails,
      unit: t.unitEmails,
      isWhole: true,
      series: [
        series(t.received, ({ emails }) => emails?.received),
        series(t.sent, ({ emails }) => emails?.sent),
        series(t.answered, ({ emails }) => emails?.answered),
      ],
      format: formatCount,
      formatAxis: formatNumber,
    },
    {
      id: 'reply-time',
      title: t.replyTime,
      about: t.replyTimeAbout,
      unit: t.unitHours,
      isWhole: false,
      series: [series(t.median, ({ emails }) => toHours(emails?.medianReplyMinutes))],
      format: formatHours,
      formatAxis: formatNumber,
    },
    {
      id: 'meetings',
      title: t.meetings,
      about: t.meetingsAbout,
      unit: t.unitMeetings,
      isWhole: true,
      series: [series(t.count, ({ meetings }) => meetings?.count)],
      format: formatCount,
      formatAxis: formatNumber,
    },
    {
      id: 'meeting-time',
      title: t.meetingTime,
      unit: t.unitHours,
      isWhole: false,
      series: [series(t.duration, ({ meetings }) => meetings?.hours)],
      format: formatHours,
      formatAxis: formatNumber,
    },
    {
      id: 'tasks',
      title: t.tasks,
      unit: t.unitTasks,
      isWhole: true,
      series: [
        series(t.created, ({ tasks }) => tasks?.created),
        series(t.completed, ({ tasks }) => tasks?.completed),
      ],
      format: formatCount,
      formatAxis: formatNumber,
    },
    {
      id: 'ai-cost',
      title: t.aiCost,
      ...(isPriceUnknown && { about: t.unknownPrice }),
      unit: t.unitDollars,
      isWhole: false,
      series: [series(t.cost, ({ ai }) => ai?.costUsd)],
      format: formatDollars,
      formatAxis: formatNumber,
    },
  ]
}

export const isEmpty = ({ series }: Measure): boolean =>
  series.every(({ values }) => values.every((value) => value === null || value === 0))
