import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

async function until(condition: () => boolean) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50))
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('a guarded process ends, and its directory is deleted, even if the test run is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'factotum-guarded-'))
  const script = `
    import { existsSync, readFileSync } from 'node:fs'
    import { startGuarded } from './scripts/guarded-process.mjs'
    const directory = ${JSON.stringify(directory)}
    const part = startGuarded({ command: '/bin/sh', args: ['-c', 'echo $$ > pid; exec sleep 1000'], directory })
    await part.untilReady(() => existsSync(directory + '/pid') && readFileSync(directory + '/pid', 'utf8') !== '')
    process.stdout.write(readFileSync(directory + '/pid', 'utf8'))
    setInterval(() => {}, 1000)`
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const pid = await new Promise<number>((resolve) =>
    run.stdout.once('data', (chunk) => resolve(Number(chunk))),
  )
  expect(isAlive(pid)).toBe(true)

  run.kill('SIGKILL')
  await until(() => !isAlive(pid) && !existsSync(directory))
})

it('a guarded process that does not start reports its own output', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'factotum-guarded-'))
  const script = `
    import { startGuarded } from './scripts/guarded-process.mjs'
    const args = ['-c', 'echo the disk is full >&2; exit 3']
    const part = startGuarded({ command: '/bin/sh', args, directory: ${JSON.stringify(directory)} })
    await part.untilReady(() => false).catch((error) => process.stdout.write(error.message))`
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script])
  let out = ''
  run.stdout.on('data', (chunk) => {
    out += chunk
  })
  await new Promise((resolve) => run.on('close', resolve))
  expect(out).toContain('the disk is full')
  expect(existsSync(directory)).toBe(false)
})
