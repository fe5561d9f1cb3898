import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These take half a minute or more each: begun last, one of them would keep everybody waiting at the end. */
const LONG = new RegExp(
  `/test/(${[
    ...['browser/', 'commands', 'mail', 'bookings', 'calendar-(accounts|imports|kills|races|sync)', 'house'],
    ...['contracts/job-kills', 'webhooks', 'process', 'engine-hostile', 'import', 'auth', 'two-factor'],
    ...['meeting-mail', 'live-events', 'notification-deliveries', 'billing-stripe', 'settings-walk'],
    ...[
      'task-reminders',
      'activity',
      'traces',
      'launcher',
      'security-vectors',
      'idempotency-crashes',
      'fuzz',
      'kills',
    ],
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
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // A process takes file after file: what they share is loaded and made fast once. Nothing in src has state of its
    // own, and a test file that changes its process (its umask, its certificates) puts it back.
    isolate: false,
    // Tests wait for databases, servers and browsers more than they compute.
    maxWorkers: 5,
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for is mostly there at once; a machine that runs everything at once may be slow to show it.
    expect: { poll: { timeout: 20_000, interval: 100 } },
  },
})
