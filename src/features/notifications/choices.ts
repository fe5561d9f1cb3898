import type { Weekday } from '../auth/working-hours.ts'
import { type Channels, defaultsOf, KINDS, type Kind } from './kinds.ts'

export interface QuietHours {
  enabled: boolean
  /** By the clock on the person's wall, `22:00`; an end before the start lies on the next day. */
  start: string
  end: string
  /** Whether what concerns the account itself is told all the same. */
  securityPasses: boolean
}

export interface Digest {
  frequency: 'off' | 'daily' | 'weekly'
  time: string
  /** Of a weekly one. */
  weekday: Weekday
}

/** All that a person has chosen, or would have. */
export interface Choices {
  kinds: Record<Kind, Channels>
  quietHours: QuietHours
  digest: Digest
}

/** What differs from it, as a person sends it and as it is kept. */
export interface ChoicesChange {
  kinds?: Partial<Record<Kind, Partial<Channels>>>
  quietHours?: Partial<QuietHours>
  digest?: Partial<Digest>
}

const QUIET_HOURS: QuietHours = { enabled: false, start: '22:00', end: '07:00', securityPasses: true }
const DIGEST: Digest = { frequency: 'off', time: '08:00', weekday: 'monday' }

/** What holds, given what was chosen. A kind that is new since then is as it is by default. */
export const choicesOf = ({ kinds = {}, quietHours, digest }: ChoicesChange): Choices => ({
  kinds: Object.fromEntries(
    KINDS.map((kind) => [kind, { ...defaultsOf(kind), ...kinds[kind] }]),
  ) as unknown as Record<Kind, Channels>,
  quietHours: { ...QUIET_HOURS, ...quietHours },
  digest: { ...DIGEST, ...digest },
})

export const readChoices = (chosen: string | null): ChoicesChange =>
  chosen === null ? {} : (JSON.parse(chosen) as ChoicesChange)

/** One change upon another. */
export const mergeChoices = (before: ChoicesChange, change: ChoicesChange): ChoicesChange => {
  const kinds = { ...before.kinds }
  for (const [kind, channels] of Object.entries(change.kinds ?? {}))
    kinds[kind as Kind] = { ...kinds[kind as Kind], ...channels }
  return {
    kinds,
    quietHours: { ...before.quietHours, ...change.quietHours },
    digest: { ...before.digest, ...change.digest },
  }
}
