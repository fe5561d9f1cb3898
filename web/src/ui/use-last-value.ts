import { useRef } from 'react'

/** The last non-null value. A closing dialog uses it to keep its content during the exit animation. */
export const useLastValue = <T>(value: T | null): T | null => {
  const last = useRef(value)
  if (value !== null) last.current = value
  return last.current
}
