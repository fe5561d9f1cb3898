import Type from 'typebox'
import type { Changes } from '../../platform/changes.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import type { Milestones } from './milestones.ts'

/** Changes come in crowds: so long is waited for those that follow, and all are counted together. */
const PAUSE_MS = 50

/** What may change a count. */
const COUNTED = /^(?:task|event|booking|email)\./

/**
 * Keeps milestones that count by themselves in step: after every change that may matter, one count at a time and never
 * more than one waiting; and now and then by a job, should a process have ended in between.
 */
export const keepCounting = (deps: { changes: Changes; jobs: Jobs; log: Logger; milestones: Milestones }) => {
  const { changes, jobs, log, milestones } = deps
  let running: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  const count = async (): Promise<void> => {
    try {
      while (isWanted && !isStopped) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        isWanted = false
        await milestones.recount()
      }
    } catch (error) {
      log.error({ err: error }, 'milestones were not counted')
    } finally {
      running = undefined
    }
  }
  changes.listen(({ type }) => {
    if (!COUNTED.test(type)) return
    isWanted = true
    running ??= count()
  })
  jobs.define({
    name: 'stream-milestones',
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    run: () => milestones.recount(),
  })
  return {
    /** Once nothing is counted any more. */
    async stop(): Promise<void> {
      isStopped = true
      await running
    },
  }
}
