import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { createJobHouse, type JobHouse, postgresUrl } from './job-house.ts'

/** The same sentences must hold on SQLite and, where `TEST_POSTGRES_URL` names a server, on PostgreSQL. */
export const describeJobsOnBothEngines = (name: string, suite: (house: () => JobHouse) => void): void => {
  for (const engine of ['sqlite', 'postgres'] as const)
    describe.skipIf(engine === 'postgres' && postgresUrl === null)(
      `${name} on ${engine}`,
      { timeout: 60_000 },
      () => {
        let house: JobHouse
        beforeAll(async () => {
          house = await createJobHouse(engine)
        })
        afterEach(() => house.reset())
        afterAll(() => house.close())
        suite(() => house)
      },
    )
}
