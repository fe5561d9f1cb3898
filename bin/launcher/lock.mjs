import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

const beatMs = 1000
// A holder on another machine or in another container is dead when its heartbeat stops. On this machine its
// npm may still run without it, so a live process id gets much longer. The time is limited, because ids are
// reused.
const silenceMs = { elsewhere: 30_000, here: 600_000 }

/**
 * Runs the work while no other start in the same checkout does. The lock is a directory that is renamed into
 * place with its owner's name in it, so it is never visible half-made. `hold.add(pid)` names a process that
 * must have ended before another start may take over.
 */
export async function withLock(directory, onWait, work) {
  const hold = await acquire(directory, onWait)
  const beat = setInterval(hold.beat, beatMs)
  try {
    return await work(hold)
  } finally {
    clearInterval(beat)
    hold.release()
  }
}

async function acquire(directory, onWait) {
  const lock = join(directory, 'lock')
  const token = randomUUID()
  const owner = { token, host: hostname(), pids: [process.pid] }
  const draft = join(directory, `draft-${token}`)
  const appear = () => {
    mkdirSync(draft)
    writeFileSync(join(draft, 'owner.json'), JSON.stringify(owner))
    if (tryRename(draft, lock)) return true
    rmSync(draft, { recursive: true })
    return false
  }
  // Without `recursive`: on a read-only disk that option reports a missing directory instead of the reason.
  makeDirectory(directory)
  const watch = createWatch()
  let isWaiting = false
  while (existsSync(lock) || !appear()) {
    const holder = readHolder(lock)
    // The abandoned lock is renamed after its dead holder and stays. A slower waiter that found the same
    // holder dead cannot rename to the same name, so it cannot remove the lock of the next holder.
    if (watch.isDead(holder) && tryRename(lock, join(directory, `abandoned-${holder.token}`))) continue
    if (!isWaiting) onWait(lock)
    isWaiting = true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const file = join(lock, 'owner.json')
  const isOurs = () => readHolder(lock).token === token
  return {
    add(pid) {
      owner.pids.push(pid)
      writeFileSync(`${file}.next`, JSON.stringify(owner))
      renameSync(`${file}.next`, file)
    },
    beat() {
      const now = new Date()
      if (isOurs()) utimesSync(file, now, now)
    },
    release() {
      if (!isOurs()) return
      renameSync(lock, draft)
      rmSync(draft, { recursive: true, force: true })
    },
  }
}

/** Measures with its own observations, so that a clock change does not make a holder look dead. */
function createWatch() {
  let seen
  return {
    isDead(holder) {
      const here = holder.host === hostname()
      if (here && !holder.pids.some(isAlive)) return true
      const sign = `${holder.token} ${holder.beat}`
      if (seen?.sign !== sign) seen = { sign, since: performance.now() }
      return performance.now() - seen.since > (here ? silenceMs.here : silenceMs.elsewhere)
    },
  }
}

function readHolder(lock) {
  try {
    const file = join(lock, 'owner.json')
    return { ...JSON.parse(readFileSync(file, 'utf8')), beat: statSync(file).mtimeMs }
  } catch {
    // Just released, or damaged by a power cut. The heartbeat timeout decides.
    return { token: 'unreadable', pids: [] }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns false if the target exists: a rename never replaces a non-empty directory. */
function tryRename(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY', 'EPERM', 'EBUSY', 'ENOENT'].includes(error.code)) return false
    throw error
  }
}

function makeDirectory(path) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
