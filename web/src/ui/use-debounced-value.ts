import { useEffect, useState } from 'react'

/** Long enough to skip single keystrokes, short enough to feel immediate. */
const DEBOUNCE_MS = 100

/** Returns the text after a pause in typing. */
export const useDebouncedValue = (text: string): string => {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
