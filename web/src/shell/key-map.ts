import { NAVIGATION } from './navigation.ts'

const SECOND_KEY_WITHIN_MS = 1_500

/** Remembers `g`. The next key then opens a page instead of acting on this one. */
export const createKeySequence = () => {
  let gPressedAt = Number.NEGATIVE_INFINITY
  /** Returns whether the key follows `g`. `now` is a time in milliseconds. */
  return (key: string, now: number): boolean => {
    const isAfterG = now - gPressedAt < SECOND_KEY_WITHIN_MS
    gPressedAt = key === 'g' ? now : Number.NEGATIVE_INFINITY
    return isAfterG
  }
}

export type GlobalAction = { kind: 'help' | 'quick-add' | 'search' } | { kind: 'page'; href: string }

/** Returns the action of a key that works on every page. Users can turn off all keys but the help. */
export const readGlobalKey = (key: string, isAfterG: boolean, isEnabled: boolean): GlobalAction | null => {
  if (key === '?') return { kind: 'help' }
  if (!isEnabled) return null
  const page = isAfterG && NAVIGATION.find((item) => item.key === key)
  if (page) return { kind: 'page', href: page.href }
  if (key === 'q') return { kind: 'quick-add' }
  return key === '/' ? { kind: 'search' } : null
}

/** The action of the page for a key. A key after `g` opens another page. */
export const findPageAction = <T>(
  keys: Readonly<Record<string, T>>,
  key: string,
  isAfterG: boolean,
): T | null => (isAfterG || !Object.hasOwn(keys, key) ? null : (keys[key] as T))
