import type { ResolvedAddress, Trust } from './addresses.ts'

export interface OutboundRequest {
  method?: string
  headers?: Record<string, string> | Headers
  body?: OutboundBody
  /** The source of the URL. Default: `content`, which reaches public addresses only. */
  trust?: Trust
  /** From the DNS lookup to the last byte of the body. Default: 10 s. */
  timeoutMs?: number
  /** Limit of the decoded body. Default: 5 MiB. */
  maxBytes?: number
  /** Default: 5. With 0, a redirect is returned as the response. */
  maxRedirects?: number
  signal?: AbortSignal
}

export type OutboundBody = string | Uint8Array | ReadableStream<Uint8Array>

export interface OutboundBodyAccess {
  /** The body, decoded with its charset, or else as UTF-8. */
  text(): Promise<string>
  bytes(): Promise<Uint8Array>
  json(): Promise<unknown>
  /** Yields chunks as they arrive. The timeout then limits the time between chunks, not the whole. */
  stream(): AsyncIterable<Uint8Array>
  /** Releases the connection without reading. An unread response releases it at the timeout. */
  discard(): void
}

export interface OutboundResponse extends OutboundBodyAccess {
  status: number
  /** As received: `content-encoding` and `content-length` describe the body before decoding. */
  headers: Headers
  /** The URL of the final response. */
  url: string
  /** The targets of the redirects, in order; the last is `url`. */
  redirects: string[]
}

/** The only HTTP client: every outbound request of the product uses it. */
export interface Outbound {
  /** A response with an error status is a response, not a failure. */
  fetch(url: string, request?: OutboundRequest): Promise<OutboundResponse>
  /**
   * For protocols other than HTTP (IMAP, SMTP): resolves and checks a host. Connect to the returned addresses
   * only.
   */
  resolve(host: string, trust: Trust, port?: number): Promise<ResolvedAddress[]>
  /** Aborts all requests in flight. */
  close(): Promise<void>
}
