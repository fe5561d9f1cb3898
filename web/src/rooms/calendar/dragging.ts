const THRESHOLD_PX = 4
const LONG_PRESS_MS = 350
const EDGE_PX = 40
const SCROLL_PX = 14

export interface Point {
  x: number
  y: number
}

interface Handlers {
  /** The thing is lifted: from here on it is no click any more. */
  onLift?: () => void
  onMove: (point: Point) => void
  onDrop: () => void
  /** Escape, or the browser took the pointer for something else. */
  onCancel: () => void
  /** What moves along when the pointer comes near its edge. */
  scroller: HTMLElement | null
}

const swallowClick = (event: Event): void => {
  event.stopPropagation()
  event.preventDefault()
}

/**
 * Follows a pointer from where it was pressed. A mouse lifts by moving; a finger by resting first, because moving at
 * once means to scroll.
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
    window.removeEventListener('keydown', letGo, true)
    target.removeEventListener('touchmove', holdPage)
    window.removeEventListener('contextmenu', holdMenu)
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
    // The press that ends a drag is no click on what lies below.
    window.addEventListener('click', swallowClick, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', swallowClick, true))
    handlers.onDrop()
  }
  const cancel = () => {
    end()
    if (lifted) handlers.onCancel()
  }
  const letGo = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !lifted) return
    event.stopPropagation()
    cancel()
  }
  /** Only a listener that is not passive keeps the page from scrolling under the finger. */
  const holdPage = (event: TouchEvent) => {
    if (lifted) event.preventDefault()
  }
  /** A finger that rests asks for no menu here. */
  const holdMenu = (event: Event) => {
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
  window.addEventListener('keydown', letGo, true)
  target.addEventListener('touchmove', holdPage, { passive: false })
  window.addEventListener('contextmenu', holdMenu)
}
