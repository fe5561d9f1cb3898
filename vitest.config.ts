import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Tests wait for databases, servers and browsers more than they compute.
    maxWorkers: 4,
    // Real servers and browsers have their moods. What needs it is named at the end of `npm test`.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
