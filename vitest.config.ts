import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files start first; started last, one of them would run alone at the end. */
const LONG = new RegExp(
  `/test/(${[
    'browser/',
    'commands',
    'backups',
    'upgrades',
    'mail',
    'bookings',
    'calendar-(accounts|imports|kills|races|sync)',
    'structure',
    'release',
    'hostile',
    'account-',
    'api-linters',
    'contracts/job-kills',
    'webhooks',
    'process',
    'nlu-hostile',
    'import',
    'auth',
    'two-factor',
    'meeting-mail',
    'live-events',
    'notification-deliveries',
    'billing-stripe',
    'settings-walk',
    'task-reminders',
    'activity',
    'traces',
    'launcher',
    'security-vectors',
    'idempotency-crashes',
    'fuzz',
    'kills',
  ].join('|')})`,
)

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [long, short] = [true, false].map((isLong) =>
      files.filter(({ moduleId }) => LONG.test(moduleId) === isLong),
    ) as [TestSpecification[], TestSpecification[]]
    return [...(await super.sort(long)), ...(await super.sort(short))]
  }
}

export default defineConfig({
  test: {
    include: ['{src,web/src}/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/support/ownership.ts'],
    pool: 'forks',
    // Tests make much short-lived garbage. More room for it saves a tenth of the CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // A process runs one file after another, so that shared modules are loaded and compiled once. Modules in src have
    // no state of their own, and a test file that changes its process (umask, certificates) restores it.
    isolate: false,
    // Node strips the types itself.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests wait for databases, servers and browsers more than they compute.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // Time limits end tests that hang. They are long, because a correct program must not fail on a slow machine.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 150_000, interval: 100 } },
  },
})
