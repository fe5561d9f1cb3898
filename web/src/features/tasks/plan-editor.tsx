import { Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as t from '#locale/tasks'
import { IconButton } from '../../ui/button.tsx'
import { DateField, TimeField } from '../../ui/date-time-input.tsx'
import { TextField } from '../../ui/field.tsx'
import { useDates } from '../../ui/time.tsx'
import { instantOf } from './local-time.ts'
import {
  type EditedBlock,
  findOverlaps,
  localStartOf,
  MAX_MINUTES,
  MIN_MINUTES,
  minutesOf,
  moveToLocal,
  resizeBlock,
} from './plan-blocks.ts'
import { PlanTrack } from './plan-track.tsx'
import './plan.css'

interface BlockFieldsProps {
  block: EditedBlock
  name: string
  onChange: (block: EditedBlock) => void
}

const BlockFields = ({ block, name, onChange }: BlockFieldsProps) => {
  const { timeZone } = useDates()
  const { day, time } = localStartOf(block, timeZone)
  const [length, setLength] = useState<string | null>(null)
  return (
    <fieldset className="plan-fields">
      <legend className="visually-hidden">{t.timeOfBlock(name)}</legend>
      <DateField
        name={`day-${block.key}`}
        label={t.blockDay}
        value={day}
        onChange={(value) => onChange(moveToLocal(block, `${value}T${time}`, timeZone))}
      />
      <TimeField
        name={`time-${block.key}`}
        label={t.blockStart}
        value={time}
        onChange={(value) => onChange(moveToLocal(block, `${day}T${value}`, timeZone))}
      />
      <TextField
        name={`minutes-${block.key}`}
        label={t.blockMinutes}
        type="number"
        inputMode="numeric"
        min={MIN_MINUTES}
        max={MAX_MINUTES}
        required
        value={length ?? String(minutesOf(block))}
        onBlur={() => setLength(null)}
        onChange={(event) => {
          const minutes = Number(event.target.value)
          setLength(event.target.value)
          if (minutes >= MIN_MINUTES && minutes <= MAX_MINUTES) onChange(resizeBlock(block, minutes))
        }}
      />
    </fieldset>
  )
}

interface BlockProps {
  block: EditedBlock
  /** The day, if it is not the one of the heading. */
  otherDay: string | null
  isOverlapping: boolean
  isOpen: boolean
  onToggle: () => void
  onChange: (block: EditedBlock) => void
}

const toButtonId = (key: string): string => `plan-change-${key}`

/** One block: a checkbox to leave it out, and a button for the fields of its day, time and length. */
const Block = ({ block, otherDay, isOverlapping, isOpen, onToggle, onChange }: BlockProps) => {
  const { hours } = useDates()
  const name = block.parts > 1 ? `${block.title} ${t.partOf(block)}` : block.title
  return (
    <li className="plan-block" data-included={block.isIncluded}>
      <div className="plan-line">
        <label className="plan-choice">
          <input
            type="checkbox"
            checked={block.isIncluded}
            onChange={(event) => onChange({ ...block, isIncluded: event.target.checked })}
          />
          <span className="plan-hours">
            {otherDay !== null && <span className="plan-other-day">{otherDay}</span>}
            {hours(block.start, block.end)}
          </span>
          <span className="plan-title">{name}</span>
        </label>
        {block.isIncluded && (
          <IconButton
            icon={Pencil}
            iconSize={15}
            label={t.changeTimeOfBlock(name)}
            id={toButtonId(block.key)}
            aria-expanded={isOpen}
            title={t.changeTime}
            onClick={onToggle}
          />
        )}
      </div>
      {isOverlapping && <p className="plan-overlap">{t.blockOverlaps}</p>}
      {block.isIncluded && isOpen && <BlockFields block={block} name={name} onChange={onChange} />}
    </li>
  )
}

/** The scrollable area of a plan. */
export const PlanArea = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className="plan" aria-label={label} tabIndex={0}>
    {children}
  </section>
)

interface PlanEditorProps {
  blocks: readonly EditedBlock[]
  onChange: (block: EditedBlock) => void
}

/** The blocks of a plan by day. Each can be left out, moved and resized. */
export const PlanEditor = ({ blocks, onChange }: PlanEditorProps) => {
  const { dayOf, day: formatDay, dayInFull, timeZone } = useDates()
  // A block with open fields stays below its heading, because a block that moves loses the focus.
  const [openDays, setOpenDays] = useState<ReadonlyMap<string, string>>(new Map())
  const closed = useRef<string | null>(null)
  useEffect(() => {
    if (closed.current !== null) document.getElementById(toButtonId(closed.current))?.focus()
    closed.current = null
  })
  const overlaps = findOverlaps(blocks)
  const days = new Map<string, EditedBlock[]>()
  const sorted = blocks.toSorted((a, b) => a.start.localeCompare(b.start))
  for (const block of sorted) {
    const day = openDays.get(block.key) ?? dayOf(block.start)
    days.set(day, [...(days.get(day) ?? []), block])
  }
  const toggle = (block: EditedBlock) => {
    const next = new Map(openDays)
    if (next.delete(block.key)) closed.current = block.key
    else next.set(block.key, dayOf(block.start))
    setOpenDays(next)
  }
  return [...days]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([day, planned]) => {
      const onDay = sorted.filter(({ start }) => dayOf(start) === day)
      const title = dayInFull(instantOf(`${day}T12:00`, timeZone))
      return (
        <section key={day} aria-label={title}>
          <h3 className="plan-day">{title}</h3>
          {onDay.length > 0 && <PlanTrack blocks={onDay} onChange={onChange} />}
          <ul className="plan-blocks">
            {planned.map((block) => (
              <Block
                key={block.key}
                block={block}
                otherDay={dayOf(block.start) === day ? null : formatDay(dayOf(block.start))}
                isOverlapping={overlaps.has(block.key)}
                isOpen={openDays.has(block.key)}
                onToggle={() => toggle(block)}
                onChange={onChange}
              />
            ))}
          </ul>
        </section>
      )
    })
}
