import { readdirSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 1_000
/** Linux reports CPU time in hundredths of a second (proc(5)). */
const TICKS_PER_SECOND = 100

/**
 * Measures elapsed time, and on Linux the CPU time of this process and its descendants. `resourceUsage` would not
 * contain processes that outlive their parent, such as the renderers of a browser. The samples miss a part of
 * processes that live shorter than a second.
 */
export function createStopwatch() {
  const start = performance.now()
  const ticks = new Map()
  const sample = () => {
    for (const [id, used] of readTicks(process.pid)) ticks.set(id, used)
  }
  const timer = process.platform === 'linux' ? setInterval(sample, SAMPLE_MS).unref() : undefined
  return {
    /** Ends the measurement. */
    describe() {
      const elapsed = formatTime((performance.now() - start) / 1000)
      if (timer === undefined) return `Time: ${elapsed}`
      clearInterval(timer)
      sample()
      const sum = [...ticks.values()].reduce((total, used) => total + used, 0)
      return `Time: ${elapsed}, CPU time of all processes: about ${formatTime(sum / TICKS_PER_SECOND)}`
    },
  }
}

/** Returns the CPU time of each process that descends from `root`, by its id and start time. */
function readTicks(root) {
  const processes = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readStat(name)
    if (stat) processes.set(Number(name), stat)
  }
  const isDescendant = (id) => {
    for (let at = id; at !== undefined && at > 1; at = processes.get(at)?.parent) if (at === root) return true
    return false
  }
  return [...processes]
    .filter(([id]) => isDescendant(id))
    .map(([id, { startedAt, used }]) => [`${id} ${startedAt}`, used])
}

/** Undefined for a process that has just ended. */
function readStat(id) {
  try {
    // The fields after the command name in parentheses: state, parent, …, utime (11), stime (12), …, starttime (19).
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return {
      parent: Number(fields[1]),
      used: Number(fields[11]) + Number(fields[12]),
      startedAt: fields[19],
    }
  } catch {
    return undefined
  }
}

function formatTime(seconds) {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}
