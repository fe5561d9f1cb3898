import { type RefObject, useEffect, useRef, useState } from 'react'

/** Beyond this distance from the end, the user is reading earlier messages. */
const NEAR_PX = 120

interface ScrollOptions {
  conversationId: string | null
  hasMessages: boolean
  /** The element that scrolls; without it, the page does. */
  scroller?: RefObject<HTMLElement | null> | undefined
}

/**
 * Shows the newest message when a conversation opens and when the user sends a message. Follows new text until the user
 * scrolls up.
 */
export const useScrollToEnd = ({ conversationId, hasMessages, scroller }: ScrollOptions) => {
  const content = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAtEnd, setIsAtEnd] = useState(true)
  const scrollToEnd = useRef(() => {})
  scrollToEnd.current = () => {
    const box = scroller ? scroller.current : document.documentElement
    if (box && follows.current && hasMessages) box.scrollTop = box.scrollHeight
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another conversation opens
  useEffect(() => {
    const show = () => {
      follows.current = true
      setIsAtEnd(true)
      scrollToEnd.current()
    }
    show()
    // A new page scrolls to its top first.
    const frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [conversationId])
  useEffect(() => {
    const observer = new ResizeObserver(() => scrollToEnd.current())
    if (content.current) observer.observe(content.current)
    const target = scroller ? scroller.current : window
    const onScroll = () => {
      const { scrollHeight, clientHeight, scrollTop } = scroller?.current ?? document.documentElement
      follows.current = scrollHeight - clientHeight - scrollTop < NEAR_PX
      setIsAtEnd(follows.current)
    }
    target?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      target?.removeEventListener('scroll', onScroll)
    }
  }, [scroller])
  return {
    content,
    isAtEnd,
    follow(): void {
      follows.current = true
      setIsAtEnd(true)
      scrollToEnd.current()
    },
  }
}
