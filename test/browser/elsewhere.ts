import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from '../support/certificates.ts'

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
