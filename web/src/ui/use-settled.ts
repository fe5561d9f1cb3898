import { useEffect, useState } from 'react'

/** Long enough not to ask at every key, short enough to be there when one looks up. */
const PAUSE_MS = 200

/** What is typed, as soon as there is a pause. */
export const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
