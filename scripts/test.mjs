// `npm test`: everything the tests need, then the tests, then one line that counts them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInChild } from '../bin/launcher/child.mjs'
import { stopWithShell } from '../bin/launcher/parent.mjs'
import { explain } from '../bin/launcher/refusal.mjs'
import { prepare } from '../bin/launcher.mjs'
import { chromium } from './parts/chromium.mjs'
import { createDovecot } from './parts/dovecot.mjs'
import { freePorts } from './parts/loopback.mjs'
import { createOpenSmtpd } from './parts/opensmtpd.mjs'
import { postgres } from './parts/postgres.mjs'
import { pythonIcalendar } from './parts/python-icalendar.mjs'
import { provideParts } from './provide-parts.mjs'

// Every real part that the tests use. A further one is a file in parts/ and its name here.
// What is sent goes from one mail server to the other and back: each must know the other's port.
const [lmtp, relay] = await freePorts(2)
const parts = [
  postgres,
  chromium,
  pythonIcalendar,
  createDovecot({ lmtp, relay }),
  createOpenSmtpd({ lmtp, relay }),
]

// A zone with an odd offset and its own summer time, so that code which forgets about zones fails here first.
process.env.TZ = 'Pacific/Chatham'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
let counts = { passed: 0, failed: 0, skipped: 0 }
try {
  stopWithShell()
  counts = await runTests(process.argv.slice(2))
} catch (error) {
  if (error.signal) await explain(error)
  process.stderr.write(`\n${error.isRefusal ? error.message : error.stack}\n`)
}
process.exitCode = counts.passed > 0 && counts.failed === 0 ? 0 : 1
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)

async function runTests(args) {
  const node = await prepare({ packages: 'full', web: true })
  const provided = await provideParts(parts)
  const scratch = mkdtempSync(join(tmpdir(), 'factotum-test-'))
  try {
    const report = join(scratch, 'report.json')
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'factotum')
    const env = { NODE_COMPILE_CACHE, ...process.env, ...provided.env }
    const end = await runInChild(node, [vitest, 'run', ...reporters, ...args], { cwd: root, env })
    const results = readReport(report)
    nameUnsteady(results)
    return count(results, end)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await provided.stop()
  }
}

/** Without a report vitest did not get as far as running anything; it has said why. */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}

/** What failed first and passed when tried again is no failure of the run, but a fault to be looked into. */
function nameUnsteady({ testResults }) {
  for (const { name, assertionResults } of testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'passed' && failureMessages?.length > 0)
        process.stdout.write(
          `passed only when tried again: ${relative(root, name)} > ${fullName}: ${failureMessages[0].split('\n')[0]}\n`,
        )
}

function count({ testResults }, end) {
  const tests = testResults.flatMap((file) => file.assertionResults)
  const withStatus = (status) => tests.filter((test) => test.status === status).length
  const [passed, failed] = [withStatus('passed'), withStatus('failed')]
  // A file that cannot be loaded, or whose preparation fails, has no failed test in it and is a failure all the same.
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  // So is an error outside every test, and a run that was stopped: only vitest's exit code tells.
  const unseen = end.code !== 0 && failed + broken === 0 && tests.length > 0 ? 1 : 0
  return { passed, failed: failed + broken + unseen, skipped: tests.length - passed - failed }
}
