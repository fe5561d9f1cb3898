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
// A holder that stopped beating is dead for certain on another machine or in another container. On this one its
// npm may still be running without it, so a living process id gets much longer; ids are reused, so not for ever.
const silenceMs = { elsewhere: 30_000, here: 600_000 }

/**
 * Runs the work while no other start in the same checkout does. The lock is a directory that appears with its
 * owner's name already in it (a rename), so it is never seen half-made. `hold.add(pid)` names a process that must
 * have ended too before anybody may take over.
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
  // Not `recursive`: on a read-only disk that one reports a missing directory instead of the reason.
  makeDirectory(directory)
  const watch = createWatch()
  let isWaiting = false
  while (existsSync(lock) || !appear()) {
    const holder = readHolder(lock)
    // The grave is named after the dead and stays: a slower waiter that judged the same holder dead finds it
    // taken, and cannot bury the living one that came after.
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

/** Judges by what it has seen itself, so that a clock that jumps condemns nobody. */
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
    // Released this moment, or damaged by a power cut; the silence decides.
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

/** False when the target exists: a directory with something in it is never replaced by a rename. */
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
