import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Type from 'typebox'
import { afterEach, expect, it } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import type { JobDefinition, Jobs } from '../../src/platform/jobs/jobs.ts'
import { soon } from '../support/job-fixture.ts'
import { describeJobsOnBothEngines } from '../support/on-both-engines.ts'

const Mark = Type.Object({ mark: Type.String() })
const LEASE_MS = 10_000
const SCRIPT = join(import.meta.dirname, '../support/job-process.ts')

interface WorkerProcess {
  readonly child: ChildProcess
  readonly said: string[]
  says(what: string): Promise<void>
  kill(): Promise<void>
}

describeJobsOnBothEngines('jobs of a killed process', (fixture) => {
  const processes: WorkerProcess[] = []
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.kill()))
  })

  const startProcess = (aheadMs = 0): WorkerProcess => {
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify({ place: fixture().place, aheadMs })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => said.push(line))
    const started: WorkerProcess = {
      child,
      said,
      says: (what) => soon(() => expect(said).toContain(what)),
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
    }
    processes.push(started)
    return started
  }

  /** An instance in this process that defines the same jobs and completes them. */
  const openHere = async (ran: string[] = [], retries = 5): Promise<Jobs> => {
    const jobs = await fixture().open()
    const run: JobDefinition<typeof Mark>['run'] = async ({ mark }) => void ran.push(mark)
    for (const name of ['hangs', 'hangs-once', 'hangs-when-done', 'marks'])
      jobs.define({
        name,
        payload: Mark,
        run,
        retries: name === 'hangs-once' ? 0 : retries,
        leaseSeconds: 10,
      })
    jobs.define({ name: 'probe', payload: Mark, run })
    return jobs
  }
  const add = (jobs: Jobs, name: string, mark: string): Promise<string> => fixture().add(jobs, name, { mark })
  const isDone = (jobs: Jobs, id: string) => fixture().reaches(jobs, id, 'done')
  const marks = async (): Promise<string[]> =>
    (await fixture().database.db.selectFrom('attempts').select('subject').execute()).map((row) => row.subject)

  it('run again after their lease expires, never after their completion, and are parked without a retry', async () => {
    const ran: string[] = []
    const jobs = await openHere(ran)
    const again = await add(jobs, 'hangs', 'again')
    const poison = await add(jobs, 'hangs-once', 'poison')
    const once = await add(jobs, 'hangs-when-done', 'once')
    const dying = startProcess()
    for (const what of ['running hangs', 'running hangs-once', 'committed']) await dying.says(what)
    await dying.kill()
    await jobs.start()
    await isDone(jobs, await add(jobs, 'probe', 'first'))
    expect(ran).toEqual(['first'])
    for (const id of [again, poison])
      expect(await jobs.find(id)).toMatchObject({ state: 'running', attempts: 1 })
    await fixture().advance(LEASE_MS)
    await isDone(jobs, again)
    await soon(async () => expect(await jobs.find(poison)).toMatchObject({ state: 'parked' }))
    expect((await jobs.find(poison))?.error).toMatch(/process ended/)
    await isDone(jobs, await add(jobs, 'probe', 'last'))
    expect(ran).toEqual(['first', 'again', 'last'])
    expect(await jobs.find(again)).toMatchObject({ attempts: 2 })
    expect(await jobs.find(once)).toMatchObject({ state: 'done', attempts: 1 })
    expect(await marks()).toEqual(['once'])
  })

  it('processes that share a backlog and are killed at any moment run each job once', {
    timeout: 60_000,
  }, async () => {
    const jobs = await openHere()
    const expected = Array.from({ length: 150 }, (_, index) => `mark ${index}`)
    await inTransaction(fixture().database.db, async (tx) => {
      for (const mark of expected) await jobs.enqueue(tx, 'marks', { mark })
    })
    const pair = [startProcess(), startProcess()]
    const doomed = await soon(() => {
      const busy = pair.find(({ said }) => said.includes('marked'))
      expect(busy).toBeDefined()
      return busy as WorkerProcess
    })
    await doomed.kill()
    // By this clock every lease has expired, also those of the live process.
    await fixture().advance(LEASE_MS + 1000)
    startProcess(LEASE_MS + 1000)
    await soon(async () => expect(await jobs.list({ state: 'done', limit: 200 })).toHaveLength(150))
    expect((await marks()).toSorted()).toEqual(expected.toSorted())
    for (const { child } of processes) if (child !== doomed.child) expect(child.exitCode).toBeNull()
  })
})
