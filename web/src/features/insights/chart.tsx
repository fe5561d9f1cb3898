import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import * as t from '#locale/insights'
import type { Measure } from './measures.ts'

const HEIGHT = 220
const Y_AXIS_WIDTH = 46
const X_AXIS_HEIGHT = 30
/** Distance between two labels in pixels. */
const LABEL_SPACE = 72
const STEPS = [1, 2, 3, 4, 5, 7, 10, 14, 30]
/** Labels of counts have no fractions. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1_000, 10_000].map((power) => step * power))
  .sort((a, b) => a - b)
/** Lines differ in color and in their dashes. */
const COLORS = ['--accent', '--good', '--warn'] as const
const DASHES = [[], [6, 4], [2, 3]]

/** Resolves colors, which the style sheet defines for light and dark mode at once. */
const readColors = (element: HTMLElement) => {
  const probe = document.createElement('span')
  element.append(probe)
  const resolve = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colors = { lines: COLORS.map(resolve), text: resolve('--quiet'), grid: resolve('--rule') }
  probe.remove()
  return colors
}

/** Increments when the color scheme changes, because a canvas does not follow the style sheet. */
const useColorScheme = (): number => {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const increment = () => setCount((before) => before + 1)
    const scheme = window.matchMedia('(prefers-color-scheme: dark)')
    const observer = new MutationObserver(increment)
    scheme.addEventListener('change', increment)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      scheme.removeEventListener('change', increment)
      observer.disconnect()
    }
  }, [])
  return count
}

interface ChartProps {
  measure: Measure
  labels: readonly string[]
}

const createOptions = (
  { measure, labels }: ChartProps,
  element: HTMLElement,
  onIndex: (index: number | null) => void,
): uPlot.Options => {
  const { lines, text, grid } = readColors(element)
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const axis = {
    stroke: text,
    font,
    labelFont: font,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, labels.length - 0.5] },
      y: { range: (_plot, _least, most) => [0, (measure.isWhole ? Math.max(1, most) : most || 1) * 1.1] },
    },
    axes: [
      {
        ...axis,
        space: LABEL_SPACE,
        incrs: STEPS,
        size: X_AXIS_HEIGHT,
        values: (_plot, splits) => splits.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: Y_AXIS_WIDTH,
        label: measure.unit,
        labelSize: 20,
        ...(measure.isWhole && { incrs: WHOLE_STEPS }),
        values: (_plot, splits) => splits.map(measure.formatAxis),
      },
    ],
    series: [
      {},
      ...measure.series.map(({ name }, index) => ({
        label: name,
        stroke: lines[index] ?? text,
        width: 2,
        dash: DASHES[index] ?? [],
        points: { show: true, size: 5 },
        spanGaps: true,
      })),
    ],
    hooks: { setCursor: [(plot) => onIndex(plot.cursor.idx ?? null)] },
  }
}

/** A line chart. The pointer or the arrow keys select an interval, whose values are shown below. */
export const Chart = ({ measure, labels }: ChartProps) => {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [index, setIndex] = useState<number | null>(null)
  const scheme = useColorScheme()

  // biome-ignore lint/correctness/useExhaustiveDependencies: `scheme` stands for the colors of the style sheet
  useEffect(() => {
    const element = place.current
    if (!element) return
    const data = [labels.map((_, at) => at), ...measure.series.map(({ values }) => [...values])]
    const newPlot = new uPlot(
      createOptions({ measure, labels }, element, setIndex),
      data as uPlot.AlignedData,
      element,
    )
    plot.current = newPlot
    const observer = new ResizeObserver(() => newPlot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      newPlot.destroy()
      plot.current = null
    }
  }, [measure, labels, scheme])

  const last = labels.length - 1
  const select = (at: number): void => {
    const left = plot.current?.valToPos(Math.min(Math.max(at, 0), last), 'x') ?? 0
    plot.current?.setCursor({ left, top: 1 })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = index ?? last + 1
    const targets: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowRight: index === null ? 0 : current + 1,
      Home: 0,
      End: last,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    select(target)
  }
  const valueAt = (at: number | null) =>
    measure.series.map(({ name, values, total }) => ({
      name,
      value: measure.format(at === null ? total : (values[at] ?? null)),
    }))
  const label = index === null ? t.total : (labels[index] ?? '')
  const spoken = [label, ...valueAt(index).map(t.seriesValue)].join(', ')
  return (
    <div className="chart">
      <div
        ref={place}
        className="chart-plot"
        role="slider"
        tabIndex={0}
        aria-label={measure.title}
        aria-description={t.chartHelp}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index ?? last}
        aria-valuetext={spoken}
        onKeyDown={onKeyDown}
      />
      <div className="chart-values" aria-hidden="true">
        <strong>{label}</strong>
        <ul>
          {valueAt(index).map(({ name, value }, at) => (
            <li key={name} data-line={at}>
              {t.seriesValue({ name, value })}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
