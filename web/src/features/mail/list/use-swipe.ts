import { type PointerEvent, useRef } from 'react'

/** Distance in pixels that triggers the action, and that separates a swipe from a tap or from scrolling. */
const TRIGGER_PX = 96
const START_PX = 12

interface SwipeActions {
  onSwipeRight: () => void
  onSwipeLeft: () => void
}

interface Swipe {
  id: number
  x: number
  y: number
  isHorizontal: boolean
}

/** Swipes of a row on touch screens. The row follows the finger by the variable `--swipe`. */
export const useSwipe = ({ onSwipeRight, onSwipeLeft }: SwipeActions) => {
  const swipe = useRef<Swipe | null>(null)
  const end = (element: HTMLElement): void => {
    swipe.current = null
    element.style.removeProperty('--swipe')
    delete element.dataset.swipe
  }
  return {
    onPointerDown({ pointerType, pointerId, clientX, clientY }: PointerEvent<HTMLElement>): void {
      if (pointerType === 'touch')
        swipe.current = { id: pointerId, x: clientX, y: clientY, isHorizontal: false }
    },
    onPointerMove({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>): void {
      const { current } = swipe
      if (!current || current.id !== pointerId) return
      const distance = clientX - current.x
      if (!current.isHorizontal) {
        if (Math.abs(clientY - current.y) > START_PX) swipe.current = null
        if (Math.abs(distance) < START_PX || !swipe.current) return
        current.isHorizontal = true
        currentTarget.setPointerCapture(pointerId)
      }
      currentTarget.style.setProperty('--swipe', `${Math.round(distance)}px`)
      currentTarget.dataset.swipe = distance > 0 ? 'right' : 'left'
    },
    onPointerUp({ currentTarget, clientX }: PointerEvent<HTMLElement>): void {
      const { current } = swipe
      if (!current?.isHorizontal) {
        swipe.current = null
        return
      }
      const distance = clientX - current.x
      end(currentTarget)
      // The tap that ends a swipe must not open the thread.
      currentTarget.addEventListener('click', (event) => event.preventDefault(), {
        capture: true,
        once: true,
      })
      if (distance >= TRIGGER_PX) onSwipeRight()
      else if (distance <= -TRIGGER_PX) onSwipeLeft()
    },
    onPointerCancel: ({ currentTarget }: PointerEvent<HTMLElement>): void => end(currentTarget),
  }
}
