/*
 * Finds time for tasks: a pure function of the tasks, the free time and a few rules. Tasks come in the order in which
 * they are served; each takes the earliest free time there is before it is due, uncut where that is possible, else in
 * blocks that are neither too long to sit through nor too short to be worth beginning.
 */

export interface Span {
  start: number
  end: number
}

export interface PlanTask {
  id: number
  /** What is still to be found. */
  minutes: number
  dueMs: number | null
}

export interface PlanRules {
  /** From here on; what was due before is late anyway, and gets the earliest time there is. */
  nowMs: number
  longestMinutes: number
  /** Left free between a block and whatever comes before or after it. */
  bufferMinutes: number
  minutesPerDay: number | null
  /** Names the day that an instant is part of. */
  dayOf(instantMs: number): string | number
}

export interface Block extends Span {
  taskId: number
}

export type Shortfall = 'due_too_soon' | 'no_time'

export interface Plan {
  /** By time. */
  blocks: Block[]
  unplanned: { taskId: number; missingMinutes: number; reason: Shortfall }[]
}

const MINUTE = 60_000
/** No block is shorter, unless the task is. */
const SHORTEST_MINUTES = 15
/** Blocks begin at a time that can be said. */
const GRID = 5 * MINUTE

const onGrid = (ms: number): number => Math.ceil(ms / GRID) * GRID

/** Those that touch or overlap are one. */
const merged = (spans: readonly Span[]): Span[] => {
  const ordered = spans.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
  const result: Span[] = []
  for (const { start, end } of ordered) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/** What is left of `open` without `busy`, each busy span widened by a buffer. Any order, overlaps allowed. */
export const freeSpans = (open: readonly Span[], busy: readonly Span[], bufferMinutes: number): Span[] => {
  const buffer = bufferMinutes * MINUTE
  const lasting = busy.filter(({ start, end }) => end > start)
  const taken = merged(lasting.map(({ start, end }) => ({ start: start - buffer, end: end + buffer })))
  return merged(open)
    .flatMap(({ start, end }) => {
      const within = taken.filter((one) => one.end > start && one.start < end)
      const from = [start, ...within.map((one) => one.end)]
      const to = [...within.map((one) => one.start), end]
      return from.map((at, index) => ({ start: onGrid(at), end: to[index] as number }))
    })
    .filter(({ start, end }) => end > start)
}

/** How much of `fits` to take, so that no rest remains that is too short for a block; 0 when it is not worth it. */
const portionOf = (missing: number, fits: number, least: number): number => {
  if (fits >= missing) return missing
  const portion = Math.floor(Math.min(fits, missing - least))
  return portion >= least ? portion : 0
}

const createRoom = (free: readonly Span[], rules: PlanRules) => {
  const spans = free.map((span) => ({ ...span }))
  // Where blocks must be short, half of one is still worth it: else some tasks could not be cut at all.
  const least = Math.min(
    SHORTEST_MINUTES,
    Math.floor(Math.min(rules.longestMinutes, rules.minutesPerDay ?? Infinity) / 2),
  )
  const spent = new Map<string | number, number>()
  const leftOn = (day: string | number): number => (rules.minutesPerDay ?? Infinity) - (spent.get(day) ?? 0)

  const fitsIn = ({ start, end }: Span, until: number): number =>
    Math.min((Math.min(end, until) - start) / MINUTE, rules.longestMinutes, leftOn(rules.dayOf(start)))

  const takeFrom = (span: Span, minutes: number): Span => {
    const { start } = span
    const end = start + minutes * MINUTE
    const day = rules.dayOf(start)
    spent.set(day, (spent.get(day) ?? 0) + minutes)
    span.start = onGrid(end + rules.bufferMinutes * MINUTE)
    return { start, end }
  }

  /** Takes the earliest time for up to `minutes` that ends by `until`: in one block if there is room for one. */
  const take = (minutes: number, until: number): Span[] => {
    const whole = minutes > 0 && spans.find((span) => fitsIn(span, until) >= minutes)
    if (whole) return [takeFrom(whole, minutes)]
    const taken: Span[] = []
    let missing = minutes
    for (const span of spans)
      while (missing > 0) {
        const portion = portionOf(missing, fitsIn(span, until), least)
        if (portion === 0) break
        taken.push(takeFrom(span, portion))
        missing -= portion
      }
    return taken
  }
  return { take, copy: () => createRoom(spans, rules) }
}

const minutesOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0)

export const planTasks = (tasks: readonly PlanTask[], free: readonly Span[], rules: PlanRules): Plan => {
  const room = createRoom(free, rules)
  const blocks: Block[] = []
  const unplanned: Plan['unplanned'] = []
  for (const { id: taskId, minutes, dueMs } of tasks) {
    const until = dueMs === null || dueMs <= rules.nowMs ? Infinity : dueMs
    const taken = room.take(minutes, until)
    blocks.push(...taken.map((span) => ({ taskId, ...span })))
    const missingMinutes = minutes - minutesOf(taken)
    if (missingMinutes === 0) continue
    const later = until < Infinity && minutesOf(room.copy().take(missingMinutes, Infinity)) > 0
    unplanned.push({ taskId, missingMinutes, reason: later ? 'due_too_soon' : 'no_time' })
  }
  return { blocks: blocks.sort((a, b) => a.start - b.start), unplanned }
}
