import { useEffect, useRef, useState } from 'react'

const SEARCH_DEBOUNCE_MS = 60

/**
 * A search field whose query is stored in the URL after a pause in typing. The first query adds a history
 * entry; changes to it replace the entry.
 */
export const useSearchField = (q: string, onSearch: (q: string, options: { replace: boolean }) => void) => {
  const [typed, setTyped] = useState(q)
  const submitted = useRef(q)
  useEffect(() => {
    // The URL changed by other means, such as Back or a link.
    if (q !== submitted.current) {
      submitted.current = q
      setTyped(q)
    }
  }, [q])
  const submit = (next: string) => {
    if (next === submitted.current) return
    const replace = submitted.current !== '' || next === ''
    submitted.current = next
    onSearch(next, { replace })
  }
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    if (typed === submitted.current) return
    const timer = setTimeout(() => latest.current(typed), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, submit }
}
