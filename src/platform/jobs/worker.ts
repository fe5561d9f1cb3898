import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KnownJob } from './definitions.ts'
import { type Run, type RunDeps, startRun } from './run.ts'
import type { Schedule } from './schedule.ts'

/** Sleeps until a time has passed or someone calls; a call that comes just before is not lost. */
const createAlarm = () => {
  let rung = false
  let ring: (() => void) | undefined
  return {
    ring(): void {
      rung = true
      ring?.()
    },
    async sleep(ms: number): Promise<void> {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, ms))
          ring = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      rung = false
      ring = undefined
    },
  }
}

/** Takes jobs as they fall due, as many at once as allowed, and runs them. */
export const createWorker = (deps: RunDeps & { schedule: Schedule; pollMs: number; concurrency: number }) => {
  const { queue, schedule, log, pollMs, concurrency } = deps
  const alarm = createAlarm()
  const runs = new Map<string, Run>()
  let draining = false
  let ended: Promise<void> | undefined

  const launch = (job: KnownJob, run: Run): void => {
    runs.set(run.id, run)
    void run.settled.finally(() => {
      runs.delete(run.id)
      alarm.ring()
    })
    log.debug({ job: job.name, jobId: run.id }, 'a job was started')
  }

  /** Takes at most one job, and says how long there is nothing to do. */
  const step = async (jobs: ReadonlyMap<string, KnownJob>): Promise<number> => {
    const untilTick = await schedule.tick()
    if (runs.size >= concurrency) return pollMs
    const taken = await queue.take([...jobs.values()], [...runs.keys()])
    if ('waitMs' in taken) return Math.min(pollMs, untilTick, taken.waitMs ?? pollMs)
    const job = jobs.get(taken.name)
    if (draining || !job) await queue.release(taken)
    else launch(job, startRun(deps, job, taken))
    return 0
  }

  const work = async (jobs: ReadonlyMap<string, KnownJob>): Promise<void> => {
    while (!draining) {
      let idleMs = pollMs
      try {
        idleMs = await step(jobs)
      } catch (error) {
        log.error({ err: error }, 'the jobs could not be read')
      }
      // Work on the embedded database never waits for anything: requests must get their turn too.
      await (idleMs > 0 ? alarm.sleep(idleMs) : nextTurn())
    }
  }

  return {
    wake: alarm.ring,
    start(jobs: readonly KnownJob[]): void {
      ended ??= work(new Map(jobs.map((job) => [job.name, job])))
    },
    async drain(deadlineMs: number): Promise<void> {
      draining = true
      alarm.ring()
      await ended
      let timer: NodeJS.Timeout | undefined
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs)
      })
      await Promise.race([Promise.all([...runs.values()].map((run) => run.settled)), deadline])
      clearTimeout(timer)
      await Promise.all([...runs.values()].map((run) => run.handBack()))
    },
  }
}
