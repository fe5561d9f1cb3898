import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { createJobFixture, type JobFixture, postgresUrl } from './job-fixture.ts'

/** Runs the same tests on SQLite and, if `TEST_POSTGRES_URL` is set, on PostgreSQL. */
export const describeJobsOnBothEngines = (name: string, suite: (fixture: () => JobFixture) => void): void => {
  for (const engine of ['sqlite', 'postgres'] as const)
    describe.skipIf(engine === 'postgres' && postgresUrl === null)(`${name} on ${engine}`, () => {
      let fixture: JobFixture
      beforeAll(async () => {
        fixture = await createJobFixture(engine)
      })
      afterEach(() => fixture.reset())
      afterAll(() => fixture.close())
      suite(() => fixture)
    })
}
