const pollMs = 500
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * npm starts a script through a shell. Debian's shell dies of SIGTERM without forwarding it, so `kill` on npm
 * would leave an orphaned server. The death of the shell therefore counts as SIGTERM. The exception is a
 * signal that arrived here too, because a terminal or a service manager signals all processes.
 */
export function stopWithShell() {
  if (!process.env.npm_lifecycle_event) return
  const shell = process.ppid
  const stopWatching = () => {
    clearInterval(timer)
    for (const signal of signals) process.off(signal, stopWatching)
  }
  const timer = setInterval(() => {
    if (process.ppid !== shell) {
      stopWatching()
      process.kill(process.pid, 'SIGTERM')
      return
    }
    // A listener disables the default action of a signal, so it is added only if another listener exists.
    for (const signal of signals) {
      process.off(signal, stopWatching)
      if (process.listenerCount(signal) > 0) process.on(signal, stopWatching)
    }
  }, pollMs)
  timer.unref()
}
