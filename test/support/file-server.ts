import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'

/** A web server with one file, or another scripted response. */
export interface FileServer {
  url: string
  /** The headers of each request so far. */
  asked: IncomingHttpHeaders[]
  /** The response to each request. */
  answer: (headers: IncomingHttpHeaders, path: string) => FileAnswer
  close(): Promise<void>
}

export interface FileAnswer {
  status?: number
  headers?: OutgoingHttpHeaders
  body?: string | Uint8Array
}

export const startFileServer = async (): Promise<FileServer> => {
  const http = createServer((request, response) => {
    server.asked.push(request.headers)
    const { status = 200, headers = {}, body = '' } = server.answer(request.headers, request.url ?? '')
    response.writeHead(status, headers)
    response.end(body)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as { port: number }
  const server: FileServer = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    answer: () => ({ status: 404 }),
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}
