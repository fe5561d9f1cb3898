import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These take a minute or so each: begun last, one of them would keep everybody waiting at the end. */
const LONG = /\/(browser|house|commands|mail-|bookings|webhooks|process|engine-hostile|import)/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [long, short] = [true, false].map((isLong) =>
      files.filter(({ moduleId }) => LONG.test(moduleId.slice(moduleId.lastIndexOf('/test/'))) === isLong),
    ) as [TestSpecification[], TestSpecification[]]
    return [...(await super.sort(long)), ...(await super.sort(short))]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Tests wait for databases, servers and browsers more than they compute.
    maxWorkers: 5,
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
