import { type RefObject, useEffect, useRef } from 'react'

/** A wheel that reports lines instead of pixels. */
const LINE_PX = 16

/** Scrolls by whole weeks with the wheel or a finger. A long press drags an event instead. */
export const useWeekScroll = (
  element: RefObject<HTMLElement | null>,
  rows: number,
  scrollWeeks: (change: number) => void,
): void => {
  const latest = useRef({ rows, scrollWeeks })
  latest.current = { rows, scrollWeeks }
  useEffect(() => {
    const body = element.current
    if (!body) return
    let rest = 0
    let touchY: number | null = null
    const scrollBy = (pixels: number) => {
      const height = body.clientHeight / latest.current.rows
      rest += pixels
      const weeks = Math.trunc(rest / height)
      if (weeks === 0) return
      rest -= weeks * height
      latest.current.scrollWeeks(weeks)
    }
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      scrollBy(event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PX : event.deltaY)
    }
    const onTouchStart = (event: TouchEvent) => {
      rest = 0
      touchY = event.touches.length === 1 ? (event.touches[0]?.clientY ?? null) : null
    }
    const onTouchMove = (event: TouchEvent) => {
      const y = event.touches[0]?.clientY
      const isDragging = document.documentElement.dataset.dragging !== undefined
      if (touchY === null || y === undefined || isDragging) return
      event.preventDefault()
      scrollBy(touchY - y)
      touchY = y
    }
    body.addEventListener('wheel', onWheel, { passive: false })
    body.addEventListener('touchstart', onTouchStart, { passive: true })
    body.addEventListener('touchmove', onTouchMove, { passive: false })
    return () => {
      body.removeEventListener('wheel', onWheel)
      body.removeEventListener('touchstart', onTouchStart)
      body.removeEventListener('touchmove', onTouchMove)
    }
  }, [element])
}
