// `npm test`: starts the servers that tests need and runs the tests. Then prints the slowest files, the time, the files
// that ran again, and one line with the number of tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInChild } from '../bin/launcher/child.mjs'
import { stopWithShell } from '../bin/launcher/parent.mjs'
import { explain } from '../bin/launcher/refusal.mjs'
import { prepare } from '../bin/launcher.mjs'
import { calendarClients } from './parts/calendar-clients.mjs'
import { chromium } from './parts/chromium.mjs'
import { createDovecot } from './parts/dovecot.mjs'
import { freePorts } from './parts/loopback.mjs'
import { memory } from './parts/memory.mjs'
import { createOpenSmtpd } from './parts/opensmtpd.mjs'
import { postgres } from './parts/postgres.mjs'
import { nginx, pgbouncer } from './parts/programs.mjs'
import { pythonIcalendar } from './parts/python-icalendar.mjs'
import { radicale } from './parts/radicale.mjs'
import { provideParts } from './provide-parts.mjs'
import { describeReruns, selectReruns } from './reruns.mjs'
import { createStopwatch } from './stopwatch.mjs'

// All real servers that the tests use. A new one needs a file in parts/ and an entry here. Mail goes from one
// mail server to the other and back, so each must know the other's port.
const [lmtp, relay] = await freePorts(2)
const parts = [
  memory,
  postgres,
  chromium,
  pythonIcalendar,
  calendarClients,
  radicale,
  nginx,
  pgbouncer,
  createDovecot({ lmtp, relay }),
  createOpenSmtpd({ lmtp, relay }),
]

// A zone with an unusual offset and its own daylight saving time, so that code that ignores zones fails here
// first.
process.env.TZ = 'Pacific/Chatham'

/** Enough to notice a file that grew. */
const SLOWEST_FILES = 10

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stopwatch = createStopwatch()
let reruns = []
let counts = { passed: 0, failed: 0, skipped: 0 }
try {
  stopWithShell()
  counts = await runTests(process.argv.slice(2))
} catch (error) {
  if (error.signal) await explain(error)
  process.stderr.write(`\n${error.isRefusal ? error.message : error.stack}\n`)
}
process.exitCode = counts.passed > 0 && counts.failed === 0 ? 0 : 1
process.stdout.write(`${stopwatch.describe()}\n`)
for (const line of reruns) process.stdout.write(`${line}\n`)
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)

async function runTests(args) {
  const node = await prepare({ packages: 'full', web: true })
  const provided = await provideParts(parts)
  const scratch = mkdtempSync(join(tmpdir(), 'factotum-test-'))
  try {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'factotum')
    const env = { NODE_COMPILE_CACHE, ...process.env, ...provided.env }
    const run = async (name, options) => {
      const report = join(scratch, `${name}.json`)
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const end = await runInChild(node, [vitest, 'run', ...reporters, ...options], { cwd: root, env })
      return { end, files: readReport(report) }
    }
    let { files, end } = await run('first', args)
    const failed = args.length > 0 ? [] : selectReruns(files)
    if (failed.length > 0) {
      const again = await run('second', ['--maxWorkers=1', ...failed.map(({ name }) => name)])
      reruns = describeReruns(failed, again.files, root)
      files = files.map((file) => again.files.find(({ name }) => name === file.name) ?? file)
      end = again.end
    }
    if (files.length > 1) reportSlowest(files)
    return count({ files, end })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await provided.stop()
  }
}

/** Without a report, vitest did not run any test and has printed the reason. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch {
    return []
  }
}

/** Their times include waits for other files, so they are longer than those of a file that runs alone. */
function reportSlowest(files) {
  const slowest = files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST_FILES)
  process.stdout.write('\nSlowest files:\n')
  for (const { name, seconds } of slowest)
    process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${relative(root, name)}\n`)
}

function count({ files, end }) {
  const tests = files.flatMap((file) => file.assertionResults)
  const withStatus = (status) => tests.filter((test) => test.status === status).length
  const [passed, failed] = [withStatus('passed'), withStatus('failed')]
  // A file that cannot be loaded, or whose setup fails, contains no failed test but counts as a failure.
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  // The same applies to an error outside a test, and to an interrupted run: only vitest's exit code shows it.
  const unseen = end.code !== 0 && failed + broken === 0 && tests.length > 0 ? 1 : 0
  return { passed, failed: failed + broken + unseen, skipped: tests.length - passed - failed }
}
