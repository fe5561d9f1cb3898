import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { dialPinned, type LookupAll } from '../../src/platform/outbound/addresses.ts'
import { createOutbound, type OutboundOptions } from '../../src/platform/outbound/outbound.ts'
import type { Outbound } from '../../src/platform/outbound/port.ts'

/** A public address that stands for any host on the internet. */
export const PUBLIC = '93.184.216.34'

export interface Visited {
  port: number
  /** Method and path of each received request. */
  seen: string[]
  /** All connections so far. */
  sockets: Socket[]
}

/**
 * A small internet on loopback: real servers, a DNS table, and public addresses that are routed to loopback.
 */
export const createLoopbackWorld = () => {
  const endings: (() => Promise<unknown>)[] = []

  const listen = async (server: NetServer): Promise<Visited> => {
    const visited: Visited = { port: 0, seen: [], sockets: [] }
    server.on('connection', (socket: Socket) => {
      visited.sockets.push(socket.on('error', () => undefined))
    })
    server.on('request', (request) => visited.seen.push(`${request.method} ${request.url}`))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    visited.port = (server.address() as AddressInfo).port
    endings.push(async () => {
      for (const socket of visited.sockets) socket.destroy()
      server.close()
    })
    return visited
  }

  const serve = (handler: RequestListener): Promise<Visited> => {
    const server: Server = createServer({ keepAliveTimeout: 60_000 }, handler)
    return listen(server)
  }

  /** Names that are not in the table are public. */
  const client = (names: Record<string, string[]> = {}, options: Partial<OutboundOptions> = {}) => {
    const asked: string[] = []
    const dialled: string[] = []
    const lookup: LookupAll = async (host) => {
      asked.push(host)
      return (names[host] ?? [PUBLIC]).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    const outbound: Outbound = createOutbound(
      { allow: [], typedMayBePrivate: false, userAgent: 'factotum-test', lookup, ...options },
      {
        dial: (addresses, to, callback) => {
          dialled.push(...addresses.map(({ address }) => address))
          const home = addresses.map((target) =>
            target.address === PUBLIC ? { address: '127.0.0.1', family: 4 } : target,
          )
          dialPinned(home, to.hostname === PUBLIC ? { ...to, hostname: '127.0.0.1' } : to, callback)
        },
      },
    )
    endings.unshift(outbound.close)
    return { ...outbound, asked, dialled }
  }

  const end = async () => {
    for (const close of endings.splice(0)) await close()
  }

  return { listen, serve, client, end }
}

/** Resolves when the other side has closed every connection. */
export const closed = (sockets: Socket[]): Promise<unknown> =>
  Promise.all(
    sockets.map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))),
  )

export const drain = async (stream: AsyncIterable<Uint8Array>): Promise<string> => {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString()
}
