import type { IncomingMessage, ServerResponse } from 'node:http'

/** A received request with its body. */
export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Said {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A calendar server with scripted responses; other paths are not found. */
export const saying =
  (answer: (asked: Asked) => Said | undefined, asked: Asked[] = []) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += chunk
    const question = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    asked.push(question)
    const said = answer(question) ?? { status: 404 }
    response.writeHead(said.status ?? 207, { 'content-type': 'text/xml; charset=utf-8', ...said.headers })
    response.end(said.body)
  }

/** Uses a namespace prefix for WebDAV, and none for CalDAV. */
export const multistatus = (content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<weiß:multistatus xmlns:weiß="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">${content}</weiß:multistatus>`

export const found = (href: string, properties: string): string =>
  `<weiß:response><weiß:href>${href}</weiß:href><weiß:propstat><weiß:prop>${properties}</weiß:prop><weiß:status>HTTP/1.1 200 OK</weiß:status></weiß:propstat></weiß:response>`

export const missing = (href: string, status = '404 Not Found'): string =>
  `<weiß:response><weiß:href>${href}</weiß:href><weiß:status>HTTP/1.1 ${status}</weiß:status></weiß:response>`

export const CALENDAR = '<weiß:resourcetype><weiß:collection/><calendar/></weiß:resourcetype>'
