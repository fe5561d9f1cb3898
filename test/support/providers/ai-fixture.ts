import { type Instance, type InstanceOptions, startInstance } from '../instance.ts'
import { startAnthropic } from './anthropic.ts'
import { startGoogle } from './google.ts'
import { startOpenAi } from './openai.ts'
import type { Provider } from './provider.ts'

export const KEYS = {
  openai: 'sk-openai-0123456789-oooo',
  anthropic: 'sk-ant-0123456789-aaaa',
  google: 'AIza0123456789-gggg',
  compatible: 'sk-compatible-0123456789-cccc',
}

export interface AiFixture {
  instance: Instance
  providers: { openai: Provider; anthropic: Provider; google: Provider; compatible: Provider }
  close(): Promise<void>
}

/** Starts an instance whose four models use four local providers, each with its key in the environment. */
export const startAiFixture = async (options: InstanceOptions = {}): Promise<AiFixture> => {
  const [openai, anthropic, google, compatible] = await Promise.all([
    startOpenAi(),
    startAnthropic(),
    startGoogle(),
    startOpenAi(),
  ])
  const providers = { openai, anthropic, google, compatible }
  for (const name of Object.keys(KEYS) as (keyof typeof KEYS)[]) providers[name].key = KEYS[name]
  const instance = await startInstance({
    ...options,
    environment: {
      MODEL_A: 'anthropic:claude-sonnet-4-5',
      MODEL_B: 'openai:gpt-4.1',
      MODEL_C: 'google:gemini-2.5-pro',
      MODEL_D: 'openai-compatible:llama3.1',
      OPENAI_API_KEY: KEYS.openai,
      OPENAI_BASE_URL: openai.url,
      ANTHROPIC_API_KEY: KEYS.anthropic,
      ANTHROPIC_BASE_URL: anthropic.url,
      GOOGLE_API_KEY: KEYS.google,
      GOOGLE_BASE_URL: google.url,
      OPENAI_COMPATIBLE_API_KEY: KEYS.compatible,
      OPENAI_COMPATIBLE_BASE_URL: compatible.url,
      ...options.environment,
    },
  })
  return {
    instance,
    providers,
    async close() {
      await instance.close()
      await Promise.all(Object.values(providers).map((provider) => provider.close()))
    },
  }
}

export interface StreamedEvent {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  data: any
}

/** Parses a complete response of server-sent events. */
export const readEvents = (text: string): StreamedEvent[] =>
  text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? []
      return { event: event as string, data: JSON.parse(data as string) }
    })

/** Sends a request and reads the response as server-sent events. */
export const askForEvents = async (
  instance: Instance,
  path: string,
  body: unknown,
  token?: string,
): Promise<{ status: number; events: StreamedEvent[]; body: unknown }> => {
  const headers = { accept: 'text/event-stream' }
  const answer = await instance.post(path, body, { headers, token })
  return {
    status: answer.status,
    body: answer.body,
    events: typeof answer.body === 'string' ? readEvents(answer.body) : [],
  }
}
