import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The height of an element, updated on resize. */
export const useHeight = <T extends HTMLElement>(): [RefObject<T | null>, number] => {
  const element = useRef<T>(null)
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setHeight(entry.contentRect.height)
    })
    setHeight(element.current.clientHeight)
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, height]
}
