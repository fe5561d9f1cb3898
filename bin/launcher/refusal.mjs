// The launcher stops in two ways: with an error message for the user, or after a signal.

/** An error whose message is written for the user. */
export function refusal(message) {
  return Object.assign(new Error(message), { isRefusal: true })
}

export function interruption(signal) {
  return Object.assign(new Error(`Stopped by ${signal}`), { signal })
}

/** Ends the process as the error requires. Unexpected errors keep their stack trace. */
export function explain(error) {
  if (error.signal) {
    process.kill(process.pid, error.signal)
    // The signal arrives a moment later, or never if it is ignored. Nothing else may run until then.
    setTimeout(() => process.exit(1), 1000)
    return new Promise(() => {})
  }
  if (!error.isRefusal) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exit(1)
}
