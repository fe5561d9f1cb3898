import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from '../support/certificates.ts'

interface Answer {
  type: string
  body: string | Buffer
}

export interface ExternalSites {
  /** Browser flags that map all *.example hosts to this server. */
  flags: string[]
  /** URLs that were requested. */
  asked: string[]
  close(): void
}

/** Starts a server that stands in for all external web sites and records the requests. */
export const startExternalSites = async (
  answerOf: (address: string) => Answer | Promise<Answer>,
): Promise<ExternalSites> => {
  const asked: string[] = []
  const server = createServer(makeCertificate('elsewhere'), async (request, response) => {
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
