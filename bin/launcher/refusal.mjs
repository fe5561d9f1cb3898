// The launcher's two ways of stopping: a refusal that tells a person what to do, and a signal that arrived meanwhile.

/** An error whose message is written for the person at the terminal. */
export function refusal(message) {
  return Object.assign(new Error(message), { isRefusal: true })
}

export function interruption(signal) {
  return Object.assign(new Error(`Stopped by ${signal}`), { signal })
}

/** Ends the process the way the error asks for; anything unforeseen keeps its stack trace. */
export function explain(error) {
  if (error.signal) {
    process.kill(process.pid, error.signal)
    // The signal arrives a moment later, or never when it is ignored; nothing else may happen until then.
    setTimeout(() => process.exit(1), 1000)
    return new Promise(() => {})
  }
  if (!error.isRefusal) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
}
