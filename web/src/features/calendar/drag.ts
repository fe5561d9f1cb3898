const THRESHOLD_PX = 4
const LONG_PRESS_MS = 350
const EDGE_PX = 40
const SCROLL_PX = 14

export interface Point {
  x: number
  y: number
}

interface Handlers {
  /** The drag has started: the press is no longer a click. */
  onLift?: () => void
  onMove: (point: Point) => void
  onDrop: () => void
  /** Called on Escape, or when the browser takes over the pointer. */
  onCancel: () => void
  /** Container that scrolls when the pointer is near its edge. */
  scroller: HTMLElement | null
}

const swallowClick = (event: Event): void => {
  event.stopPropagation()
  event.preventDefault()
}

/**
 * Follows a pointer after a press. A mouse starts the drag by moving. A finger starts it by a long press,
 * because moving at once scrolls.
 */
export const followPointer = (down: PointerEvent, handlers: Handlers): void => {
  const target = down.target as HTMLElement
  const isTouch = down.pointerType === 'touch'
  let lifted = false
  let last: Point = { x: down.clientX, y: down.clientY }

  const lift = () => {
    lifted = true
    document.documentElement.dataset.dragging = 'true'
    handlers.onLift?.()
    scrolling = requestAnimationFrame(scroll)
  }
  const end = () => {
    clearTimeout(resting)
    cancelAnimationFrame(scrolling)
    delete document.documentElement.dataset.dragging
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', drop)
    window.removeEventListener('pointercancel', cancel)
    window.removeEventListener('keydown', onEscape, true)
    target.removeEventListener('touchmove', preventScroll)
    window.removeEventListener('contextmenu', preventContextMenu)
  }
  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return
    const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > THRESHOLD_PX
    last = { x: event.clientX, y: event.clientY }
    if (!lifted && far) {
      if (isTouch) return end()
      lift()
    }
    if (lifted) handlers.onMove(last)
  }
  const drop = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return
    end()
    if (!lifted) return
    // Suppresses the click that browsers fire after a drag.
    window.addEventListener('click', swallowClick, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', swallowClick, true))
    handlers.onDrop()
  }
  const cancel = () => {
    end()
    if (lifted) handlers.onCancel()
  }
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !lifted) return
    event.stopPropagation()
    cancel()
  }
  /** Only a non-passive listener can prevent scrolling during a touch drag. */
  const preventScroll = (event: TouchEvent) => {
    if (lifted) event.preventDefault()
  }
  /** Suppresses the context menu of a long press. */
  const preventContextMenu = (event: Event) => {
    if (isTouch) event.preventDefault()
  }
  const scroll = () => {
    const { scroller } = handlers
    if (scroller) {
      const { top, bottom } = scroller.getBoundingClientRect()
      const before = scroller.scrollTop
      if (last.y < top + EDGE_PX * 2) scroller.scrollTop -= SCROLL_PX
      else if (last.y > bottom - EDGE_PX) scroller.scrollTop += SCROLL_PX
      if (scroller.scrollTop !== before) handlers.onMove(last)
    }
    scrolling = requestAnimationFrame(scroll)
  }

  let scrolling = 0
  const resting = setTimeout(() => {
    if (isTouch && !lifted) lift()
  }, LONG_PRESS_MS)
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', drop)
  window.addEventListener('pointercancel', cancel)
  window.addEventListener('keydown', onEscape, true)
  target.addEventListener('touchmove', preventScroll, { passive: false })
  window.addEventListener('contextmenu', preventContextMenu)
}
