import { AppError, conflict, invalidField } from '../../platform/errors.ts'
import type { Outbound } from '../../platform/outbound/port.ts'

/** Names of model servers that can be found on this machine. */
export const LOCAL_SERVER_NAMES = ['ollama', 'llama.cpp', 'lm-studio', 'vllm'] as const

export interface LocalServer {
  server: (typeof LOCAL_SERVER_NAMES)[number]
  baseUrl: string
}

/** The default addresses of the servers. No other address is searched. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { server: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { server: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
  { server: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { server: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1' },
]

/** Results of the search for one server. */
export const SEARCH_RESULTS = ['found', 'not_running', 'timeout', 'needs_key', 'no_model_server'] as const
type SearchResult = (typeof SEARCH_RESULTS)[number]

export interface FoundServer extends LocalServer {
  result: SearchResult
  models: string[]
}

/** A server on the same machine answers at once, unless it is loading a model. */
const TIMEOUT_MS = 3_000
const MAX_LIST_BYTES = 1024 * 1024
const MAX_MODELS = 200
const MAX_NAME_LENGTH = 200

/** Reads the list of models (`GET /v1/models`). Returns undefined if it is no such list. */
const readModelNames = (body: unknown): string[] | undefined => {
  const data = (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) return undefined
  const names = data.map((model: { id?: unknown } | null) => model?.id)
  return names
    .filter((name) => typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH)
    .slice(0, MAX_MODELS) as string[]
}

const toResult = (error: unknown): SearchResult => {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'upstream_timeout') return 'timeout'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? 'not_running' : 'no_model_server'
}

const UNAVAILABLE: Record<Exclude<SearchResult, 'found'>, string> = {
  not_running: 'No server runs at this address. Start it, then search again.',
  timeout: 'The server did not answer in time. Try again.',
  needs_key: 'The server requires a key. Set OPENAI_COMPATIBLE_BASE_URL and OPENAI_COMPATIBLE_API_KEY.',
  no_model_server: 'The server at this address has no OpenAI-compatible API.',
}

/**
 * Finds model servers on the machine of this instance. Only on request of the owner, because every other
 * account could otherwise reach services of the machine.
 */
export class LocalModelServers {
  private readonly outbound: Pick<Outbound, 'fetch'>
  private readonly servers: readonly LocalServer[]

  constructor(outbound: Pick<Outbound, 'fetch'>, servers: readonly LocalServer[] = LOCAL_SERVERS) {
    this.outbound = outbound
    this.servers = servers
  }

  isKnown(baseUrl: string): boolean {
    return this.servers.some((server) => server.baseUrl === baseUrl)
  }

  search(signal: AbortSignal): Promise<FoundServer[]> {
    return Promise.all(this.servers.map((server) => this.ask(server, signal)))
  }

  /** Throws if the server is not one of the searched ones, does not run, or does not have the model. */
  async require({ baseUrl, model }: { baseUrl: string; model: string }, signal: AbortSignal): Promise<void> {
    const server = this.servers.find((one) => one.baseUrl === baseUrl)
    if (!server) throw invalidField('baseUrl', 'is not the address of a server that the search found')
    const { result, models } = await this.ask(server, signal)
    if (result !== 'found') throw conflict(UNAVAILABLE[result])
    if (!models.includes(model)) throw invalidField('model', 'is not a model of this server')
  }

  private async ask(server: LocalServer, signal: AbortSignal): Promise<FoundServer> {
    const failed = (result: SearchResult): FoundServer => ({ ...server, result, models: [] })
    try {
      const response = await this.outbound.fetch(`${server.baseUrl}/models`, {
        trust: 'loopback',
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_LIST_BYTES,
        maxRedirects: 0,
        signal,
      })
      if (response.status !== 200) {
        response.discard()
        return failed([401, 403].includes(response.status) ? 'needs_key' : 'no_model_server')
      }
      const models = readModelNames(await response.json())
      return models ? { ...server, result: 'found', models } : failed('no_model_server')
    } catch (error) {
      if (signal.aborted) throw error
      return failed(toResult(error))
    }
  }
}
