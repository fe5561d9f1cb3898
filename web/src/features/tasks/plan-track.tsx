import { type PointerEvent, useRef } from 'react'
import { useDates } from '../../ui/time.tsx'
import { type EditedBlock, minutesOf, moveBlockBy, resizeBlock } from './plan-blocks.ts'

const STEP_MINUTES = 15
const HOUR_MS = 3_600_000
/** Hours that the track shows before the first and after the last block. */
const MARGIN_HOURS = 1
/** Labels of hours that a narrow screen has space for. */
const MAX_LABELS = 6
/** After this part of the track, a label would be cut off. */
const LAST_LABEL = 0.88

interface TrackProps {
  blocks: readonly EditedBlock[]
  onChange: (block: EditedBlock) => void
}

interface Drag {
  block: EditedBlock
  from: number
  isResize: boolean
}

/** The time range of the track, in full hours. It does not change while a block is dragged. */
const toRange = (blocks: readonly EditedBlock[]) => {
  const starts = blocks.map(({ start }) => Date.parse(start))
  const ends = blocks.map(({ end }) => Date.parse(end))
  const from = (Math.floor(Math.min(...starts) / HOUR_MS) - MARGIN_HOURS) * HOUR_MS
  const until = (Math.ceil(Math.max(...ends) / HOUR_MS) + MARGIN_HOURS) * HOUR_MS
  return { from, length: until - from }
}

type Range = ReturnType<typeof toRange>

const toPercent = (at: number, { from, length }: Range): string => `${((at - from) / length) * 100}%`

/** The full hours of the track, so few that their labels have space. */
const Hours = ({ range }: { range: Range }) => {
  const { time } = useDates()
  const hours = range.length / HOUR_MS
  const step = Math.ceil(hours / MAX_LABELS)
  const marks = Array.from(
    { length: Math.ceil(hours / step) },
    (_, index) => range.from + index * step * HOUR_MS,
  )
  return marks
    .filter((at) => at - range.from <= range.length * LAST_LABEL)
    .map((at) => (
      <span key={at} className="plan-hour" style={{ insetInlineStart: toPercent(at, range) }}>
        {time(new Date(at))}
      </span>
    ))
}

/** The blocks of a day as bars. Drag a bar to move it, and its end to resize it. The fields below do the same. */
export const PlanTrack = ({ blocks, onChange }: TrackProps) => {
  const track = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)
  const frozen = useRef<Range | null>(null)
  const range = frozen.current ?? toRange(blocks)
  const begin = (event: PointerEvent<HTMLElement>, block: EditedBlock, isResize: boolean) => {
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { block, from: event.clientX, isResize }
    frozen.current = toRange(blocks)
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    const width = track.current?.clientWidth ?? 0
    if (!drag.current || width === 0) return
    const { block, from, isResize } = drag.current
    const dragged = ((event.clientX - from) / width) * (range.length / 60_000)
    const minutes = Math.round(dragged / STEP_MINUTES) * STEP_MINUTES
    const changed = isResize ? resizeBlock(block, minutesOf(block) + minutes) : moveBlockBy(block, minutes)
    // Beyond the track the block could reach another day, whose track is another element.
    const isOnTrack =
      Date.parse(changed.start) >= range.from && Date.parse(changed.end) <= range.from + range.length
    if (isOnTrack) onChange(changed)
  }
  const end = () => {
    drag.current = null
    frozen.current = null
  }
  return (
    <div ref={track} className="plan-track" aria-hidden="true">
      <Hours range={range} />
      {/* In a fixed order: an element that moves in the document loses the pointer. */}
      {blocks
        .toSorted((one, other) => one.key.localeCompare(other.key))
        .map((block) => (
          <div
            key={block.key}
            className="plan-bar"
            data-included={block.isIncluded}
            style={{
              insetInlineStart: toPercent(Date.parse(block.start), range),
              width: `${((minutesOf(block) * 60_000) / range.length) * 100}%`,
            }}
            onPointerDown={(event) => begin(event, block, false)}
            onPointerMove={move}
            onPointerUp={end}
            onPointerCancel={end}
          >
            <span className="plan-bar-title">{block.title}</span>
            <span
              className="plan-bar-end"
              onPointerDown={(event) => begin(event, block, true)}
              onPointerMove={move}
              onPointerUp={end}
              onPointerCancel={end}
            />
          </div>
        ))}
    </div>
  )
}
