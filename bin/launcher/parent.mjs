const pollMs = 500
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * npm starts a script through a shell, and Debian's dies of SIGTERM without passing it on: `kill` on npm would leave
 * a server behind that nobody owns. So the shell's death counts as the SIGTERM it kept to itself, unless a signal
 * came here as well (a terminal or a service manager tells everybody).
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
    // Listening switches a signal's default off, so only where somebody else listens too.
    for (const signal of signals) {
      process.off(signal, stopWatching)
      if (process.listenerCount(signal) > 0) process.on(signal, stopWatching)
    }
  }, pollMs)
  timer.unref()
}
