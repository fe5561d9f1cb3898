import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Two equal signals within this time are one event. npm forwards signals that the terminal or a service
// manager has already sent to all processes.
const sameEventMs = 1000

/** Runs Node in a child process, forwards signals to it, and returns its end: `{ code, signal }`. */
export function runInChild(node, args, options) {
  const child = spawn(node, args, { stdio: 'inherit', ...options })
  const last = new Map()
  const forward = (signal) => {
    const now = performance.now()
    const previous = last.get(signal)
    last.set(signal, now)
    if (previous !== undefined && now - previous < sameEventMs) return
    // A repeated signal means that the user insists, so it is forwarded even if the terminal has sent it too.
    if (previous === undefined && isFromTerminal(signal)) return
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']
  for (const signal of signals) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward)
      resolve({ code, signal })
    })
  })
}

/**
 * Ctrl-C and a closed terminal reach the whole foreground group, including the child; `kill` reaches one
 * process.
 */
function isFromTerminal(signal) {
  if (signal === 'SIGTERM' || signal === 'SIGUSR2') return false
  const hasTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
  if (signal === 'SIGHUP' || process.platform !== 'linux') return hasTerminal
  // The fields after the command name in parentheses: state, parent, group, session, terminal, the terminal's
  // group.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return fields[2] === fields[5]
}
