import { spawnSync } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Returns different ports that nothing listens on. */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function listen() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** Returns a check, to be repeated, whether a port accepts connections. */
export function answersOn(port) {
  let answers = false
  const look = () => {
    const socket = connect(port, '127.0.0.1', () => {
      answers = true
      socket.destroy()
    })
    socket.on('error', () => setTimeout(look, 50))
  }
  look()
  return () => answers
}

/** Creates a self-signed certificate, as home servers use it: `{ certificate, key }`, both paths. */
export function makeCertificate(directory, name) {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  const names = `subjectAltName=DNS:${name},DNS:localhost,IP:127.0.0.1`
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '7']
  const output = ['-keyout', key, '-out', certificate, '-subj', `/CN=${name}`, '-addext', names]
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...options, ...output], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`openssl made no certificate:\n${stderr}`)
  return { certificate, key }
}
