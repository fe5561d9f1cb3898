import { useEffect, useRef, useState } from 'react'

const SEARCHES_AFTER_MS = 250

/**
 * The field is the person's own while they type; the address follows when they pause. What they begin to look for is a
 * step that Back takes back; each letter more is not.
 */
export const useSearchField = (q: string, onAsk: (q: string, options: { replace: boolean }) => void) => {
  const [typed, setTyped] = useState(q)
  const asked = useRef(q)
  useEffect(() => {
    // Another way led here: back, a link, a press on a tag.
    if (q !== asked.current) {
      asked.current = q
      setTyped(q)
    }
  }, [q])
  const ask = (next: string) => {
    if (next === asked.current) return
    const replace = asked.current !== '' || next === ''
    asked.current = next
    onAsk(next, { replace })
  }
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    if (typed === asked.current) return
    const timer = setTimeout(() => latest.current(typed), SEARCHES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, ask }
}
