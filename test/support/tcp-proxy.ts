import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy to a loopback server that can be cut or made to break. */
export const startTcpProxy = async (port: number) => {
  const sockets = new Set<Socket>()
  const proxy = {
    /** Total number of connections. */
    connections: 0,
    /** Connections are accepted and closed at once. */
    isDown: false,
    /** Each connection breaks after this many bytes from the server. */
    breaksAfterBytes: Number.POSITIVE_INFINITY,
    /** Transforms the server's output. */
    transform: (text: Buffer): Buffer => text,
  }
  const server = createServer((near) => {
    proxy.connections++
    near.on('error', () => undefined)
    if (proxy.isDown) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    far.on('error', () => undefined)
    for (const socket of [near, far]) sockets.add(socket.on('close', () => sockets.delete(socket)))
    let said = 0
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => {
      said += data.length
      if (said > proxy.breaksAfterBytes) {
        near.destroy()
        far.destroy()
      } else near.write(proxy.transform(data))
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(proxy, {
    port: (server.address() as AddressInfo).port,
    cut(): void {
      for (const socket of sockets) socket.destroy()
    },
    close(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
}

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>
