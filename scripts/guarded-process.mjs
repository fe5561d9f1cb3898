import { spawn } from 'node:child_process'

// The part runs under a shell that waits until the test run's end of a pipe closes. That happens however the
// run ends, even after kill -9. The shell then ends the part and deletes its directory. It prints nothing:
// after the run has ended, writing would kill it.
const guard = `
directory=$1; signal=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- & part=$!
exec >/dev/null 2>&1
{ read -r _ <&3; while kill -s "$signal" "$part"; do sleep 0.2; done; } & watch=$!
wait "$part"; status=$?
kill "$watch"
rm -rf -- "$directory"
exit "$status"`

const patienceMs = 60_000
const keptOutput = 8_000

/**
 * Starts a server that cannot outlive the test run. `directory` belongs to it and is deleted with it. `user`
 * is `{ uid, gid }` to run as, or empty.
 */
export function startGuarded({ command, args, directory, user = {}, stopSignal = 'TERM' }) {
  const child = spawn('/bin/sh', ['-c', guard, 'guard', directory, stopSignal, command, ...args], {
    ...user,
    cwd: directory,
    env: { ...process.env, HOME: directory },
    // In its own session: Ctrl-C goes to the tests, and the part ends after them.
    detached: true,
  })
  let output = ''
  const keep = (chunk) => {
    output = `${output}${chunk}`.slice(-keptOutput)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  let isRunning = true
  const ended = new Promise((resolve) => {
    child.on('error', (error) => keep(error.message))
    child.on('error', resolve)
    child.on('exit', resolve)
  }).then(() => {
    isRunning = false
  })

  return {
    async untilReady(isReady) {
      const start = performance.now()
      while (!isReady()) {
        if (!isRunning || performance.now() - start > patienceMs) {
          await this.stop()
          throw new Error(`${command} did not start:\n${output}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop() {
      child.stdin.destroy()
      await ended
    },
  }
}
