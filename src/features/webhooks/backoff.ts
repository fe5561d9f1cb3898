import type { Random } from '../../platform/random.ts'

const MINUTE = 60
const HOUR = 3600
/** The waits between attempts, in seconds: a day from the first attempt to the last. */
const WAITS = [
  ...[5, 30, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 5 * HOUR, 6 * HOUR, 6 * HOUR],
]
/** However long an endpoint has been failing, it is looked at this often. */
const LONGEST_PAUSE_SECONDS = 15 * MINUTE
/** Up to a twentieth more, so that what failed together does not return together. */
const JITTER = 0.05

/** How much of the spread falls to one failure, from 0 to 1: drawn once for all that waits because of it. */
export const drawLot = (random: Random): number => random.bytes(4).readUInt32BE() / 2 ** 32

const spread = (seconds: number, lot: number): number => Math.round(seconds * 1000 * (1 + lot * JITTER))

/** The wait after this many failed attempts of one delivery; undefined when it has had its day. */
export const waitAfter = (attempts: number, lot: number): number | undefined => {
  const seconds = WAITS[attempts - 1]
  return seconds === undefined ? undefined : spread(seconds, lot)
}

/** How long an endpoint is left alone that has failed this often in a row. */
export const pauseAfter = (failures: number, lot: number): number =>
  spread(Math.min(WAITS[failures - 1] ?? LONGEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS), lot)
