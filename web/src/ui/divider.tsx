import { useRef } from 'react'
import './style/divider.css'

const STEP_PX = 16

export interface PaneSizes {
  min: number
  max: number
  default: number
}

/** Limits a size. A text that is no number gives the default. */
export const toPaneSize = (sizes: PaneSizes, size: number | string | null): number => {
  const px = size === null ? Number.NaN : Math.round(Number(size))
  return Number.isNaN(px) ? sizes.default : Math.min(sizes.max, Math.max(sizes.min, px))
}

interface DividerProps {
  label: string
  /** `vertical`: between two columns. */
  orientation?: 'vertical' | 'horizontal'
  size: number
  sizes: PaneSizes
  /** Set if the resized pane follows the divider, and grows to the left. */
  isReversed?: boolean
  onResize: (px: number) => void
}

/** The edge of a pane. Drag it, or use the arrow keys, Home and End. A double click restores the size. */
export const Divider = ({
  label,
  orientation = 'vertical',
  size,
  sizes,
  isReversed = false,
  onResize,
}: DividerProps) => {
  const start = useRef({ at: 0, size })
  const isVertical = orientation === 'vertical'
  const step = isReversed ? -STEP_PX : STEP_PX
  const ends = [sizes.min, sizes.max]
  const [first, last] = isReversed ? ends.reverse() : ends
  const keys: Readonly<Record<string, number | undefined>> = {
    [isVertical ? 'ArrowRight' : 'ArrowDown']: size + step,
    [isVertical ? 'ArrowLeft' : 'ArrowUp']: size - step,
    Home: first,
    End: last,
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be focused or dragged
    <div
      className="divider"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={sizes.min}
      aria-valuemax={sizes.max}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { at: isVertical ? event.clientX : event.clientY, size }
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const moved = (isVertical ? event.clientX : event.clientY) - start.current.at
        onResize(start.current.size + (isReversed ? -moved : moved))
      }}
      onDoubleClick={() => onResize(sizes.default)}
      onKeyDown={(event) => {
        const next = keys[event.key]
        if (next === undefined) return
        event.preventDefault()
        onResize(next)
      }}
    />
  )
}
