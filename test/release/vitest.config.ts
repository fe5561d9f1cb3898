import { defineConfig } from 'vitest/config'

// `npm run test:release` builds a release and installs it. It takes a quarter of an hour, so it is no part of
// `npm test`. RELEASE_SCRATCH names a folder whose builds and Debian systems stay for the next run.
export default defineConfig({
  test: {
    include: ['test/release/*.check.ts'],
    globalSetup: ['test/release/setup.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 120_000, interval: 500 } },
  },
})
