import { defineConfig } from 'vitest/config'

// `npm run test:release` builds a release and installs it. It takes minutes, so it is no part of `npm test`.
export default defineConfig({
  test: {
    include: ['test/release/*.check.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 60_000, interval: 200 } },
  },
})
