import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface SlowProxy {
  url: string
  /** Sets the target. */
  forwardTo(address: string): void
  /** Changes the delay of later responses. */
  delayBy(ms: number): void
  close(): Promise<void>
}

/** Starts a proxy that delays the responses to one request by `delayMs`, for example `POST /some/path`. */
export const startSlowProxy = async (request: string, delayMs: number): Promise<SlowProxy> => {
  let port = 0
  let delay = delayMs
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    let wait = 0
    near.on('data', (bytes) => {
      wait = bytes.includes(`${request} HTTP/`) ? delay : 0
      far.write(bytes)
    })
    far.on('data', (bytes) => setTimeout(() => near.writable && near.write(bytes), wait))
    far.on('end', () => setTimeout(() => near.end(), wait))
    near.on('close', () => far.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo(address) {
      port = Number(new URL(address).port)
    },
    delayBy(ms) {
      delay = ms
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
