// `npm test`: everything the tests need, then the tests, then one line that counts them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInChild } from '../bin/launcher/child.mjs'
import { stopWithShell } from '../bin/launcher/parent.mjs'
import { explain } from '../bin/launcher/refusal.mjs'
import { prepare } from '../bin/launcher.mjs'
import { chromium } from './parts/chromium.mjs'
import { postgres } from './parts/postgres.mjs'
import { provideParts } from './provide-parts.mjs'

// Every part that the tests use for real. A further one is a file in parts/ and its name here.
const parts = [postgres, chromium]

// A zone with an odd offset and its own summer time, so that code which forgets about zones fails here first.
process.env.TZ = 'Pacific/Chatham'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const scratch = mkdtempSync(join(tmpdir(), 'factotum-test-'))
let counts = { passed: 0, failed: 0, skipped: 0 }
try {
  stopWithShell()
  counts = await runTests(process.argv.slice(2))
} catch (error) {
  await explain(error, { exit: false })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
const ran = counts.passed + counts.failed > 0
process.exitCode = process.exitCode || (ran && counts.failed === 0 ? 0 : 1)
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)

async function runTests(args) {
  const node = await prepare({ packages: 'full', web: true })
  const provided = await provideParts(parts)
  const report = join(scratch, 'report.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const env = { ...process.env, ...provided.env }
    const end = await runInChild(node, [vitest, 'run', ...reporters, ...args], { env, cwd: root })
    return count(readReport(report), end)
  } finally {
    await provided.stop()
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}

function count(report, end) {
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  const withStatus = (status) => tests.filter((test) => test.status === status).length
  const passed = withStatus('passed')
  // A file that cannot be loaded, or whose set-up fails, has no failed test in it and is a failure all the same.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = withStatus('failed') + brokenFiles.length
  const skipped = tests.length - passed - withStatus('failed')
  // vitest also fails for an error outside every test; no count of its own shows that.
  return { passed, failed: failed || (end.code === 0 || tests.length === 0 ? 0 : 1), skipped }
}
