import { afterAll, describe, expect, it } from 'vitest'
import { startFactotum } from './support/process.ts'
import { makeScratch } from './support/scratch.ts'

const { newPlace } = makeScratch()

/** Returns the log lines, which are JSON. The output also contains the startup message. */
const readLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the log', () => {
  const running: Awaited<ReturnType<typeof startFactotum>>[] = []
  afterAll(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGTERM')
      await ended
    }
  })

  it('changes to debug and back with SIGUSR2, and contains no secret', async () => {
    const place = await newPlace('sqlite')
    const server = await startFactotum({ ...place.environment, LOG_LEVEL: 'info' })
    running.push(server)
    const requests = () => readLines(server.output()).filter(({ msg }) => msg === 'request answered')
    const toggle = async (level: string, count: number) => {
      server.child.kill('SIGUSR2')
      await expect
        .poll(() => readLines(server.output()).filter(({ msg }) => msg === 'log level changed'))
        .toHaveLength(count)
      expect(readLines(server.output()).at(-1)).toMatchObject({ level: 'warn', logLevel: level })
    }
    const call = () =>
      fetch(`${server.url}/api/health?token=hunter2-in-the-query`, {
        headers: { authorization: 'Bearer hunter2-in-the-header', cookie: 'x=hunter2-in-the-cookie' },
      })

    await call()
    await toggle('debug', 1)
    expect(requests()).toEqual([])
    await call()
    await expect.poll(() => requests().length).toBe(1)
    expect(requests()[0]).toMatchObject({
      level: 'debug',
      req: { method: 'GET', path: '/api/health' },
      res: { status: 401 },
    })
    expect(requests()[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(requests()[0]).toHaveProperty('requestId')
    await toggle('info', 2)
    await call()
    await toggle('debug', 3)
    expect(requests()).toHaveLength(1)
    expect(server.output()).not.toContain('hunter2')
  })
})
