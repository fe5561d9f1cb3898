import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Finds a port of this machine that nothing listens on. */
export const findFreePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}
