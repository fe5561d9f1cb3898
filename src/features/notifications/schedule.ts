import type { Choices } from './choices.ts'
import { isSecurity, type Kind } from './kinds.ts'
import { nextDigest, quietUntil } from './moments.ts'

export type Channel = 'email' | 'webhook'

export interface Due {
  at: Date
  heldBy: 'quiet_hours' | 'digest' | null
}

/**
 * When one is told by a channel. A digest goes at its time, quiet or not: the person chose it. Whatever else comes in
 * quiet hours waits until they end.
 */
export const dueOf = (
  { kind, channel, choices, timezone }: { kind: Kind; channel: Channel; choices: Choices; timezone: string },
  now: Date,
): Due => {
  const { kinds, quietHours, digest } = choices
  const digestAt =
    channel === 'email' && kinds[kind].email === 'digest' ? nextDigest(now, digest, timezone) : undefined
  if (digestAt) return { at: digestAt, heldBy: 'digest' }
  const passes = isSecurity(kind) && quietHours.securityPasses
  const quiet = passes ? undefined : quietUntil(now, quietHours, timezone)
  return quiet ? { at: quiet, heldBy: 'quiet_hours' } : { at: now, heldBy: null }
}
