import { useRef } from 'react'

/** The last value there was: a dialog that is closing still shows what it was about. */
export const useLast = <T>(value: T | null): T | null => {
  const last = useRef(value)
  if (value !== null) last.current = value
  return last.current
}
