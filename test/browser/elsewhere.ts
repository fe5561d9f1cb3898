import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

const selfSigned = (): { key: Buffer; cert: Buffer } => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-elsewhere-'))
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const files = ['-keyout', key, '-out', cert]
  execFileSync(
    'openssl',
    ['req', '-x509', ...CURVE, '-nodes', '-days', '2', ...files, '-subj', '/CN=elsewhere'],
    {
      stdio: 'ignore',
    },
  )
  try {
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

interface Answer {
  type: string
  body: string | Buffer
}

export interface Elsewhere {
  /** What a browser is started with so that every name but ours leads here. */
  flags: string[]
  /** Every address that was asked for. */
  asked: string[]
  close(): void
}

/** All the web that is not this machine: one server that answers for every name, and knows what it was asked. */
export const openElsewhere = async (
  answerOf: (address: string) => Answer | Promise<Answer>,
): Promise<Elsewhere> => {
  const asked: string[] = []
  const server = createServer(selfSigned(), async (request, response) => {
    const address = `https://${request.headers.host}${request.url}`
    asked.push(address)
    const { type, body } = await answerOf(address)
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    flags: [`--host-resolver-rules=MAP *.example 127.0.0.1:${port}`, '--ignore-certificate-errors'],
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
