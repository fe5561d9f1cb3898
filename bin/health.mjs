// Health check of a container: exits with 0 if the server of this machine answers that it is healthy.
const { HOST = '', PORT = '3000' } = process.env
// A server that listens on all addresses is reached at this one.
const host = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
try {
  const response = await fetch(`http://${host}:${PORT}/api/health`, { signal: AbortSignal.timeout(4000) })
  process.stdout.write(`${await response.text()}\n`)
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  process.stderr.write(`${error.cause?.message ?? error.message}\n`)
  process.exitCode = 1
}
