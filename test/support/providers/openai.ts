import { type ModelAnswer, type Protocol, type Provider, startProvider, USAGE } from './provider.ts'

const usage = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
}
const CREATED = 1_767_225_600

const callsOf = ({ calls }: ModelAnswer) =>
  calls.map(({ name, input }, index) => ({
    id: `call_${index}_${name}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))

const reasonOf = ({ calls, isCut }: ModelAnswer): string =>
  isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'

const modelOf = (body: unknown): string => (body as { model: string }).model

/** Chat Completions of OpenAI and compatible servers. */
export const openAiProtocol: Protocol = {
  keyOf: ({ authorization }) => authorization?.replace(/^Bearer /, ''),
  isStream: (_path, body) => (body as { stream?: boolean }).stream === true,
  whole: (said, body) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: CREATED,
    model: modelOf(body),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said.words.length > 0 ? said.words.join('') : null,
          refusal: null,
          ...(said.calls.length > 0 && { tool_calls: callsOf(said) }),
        },
        logprobs: null,
        finish_reason: reasonOf(said),
      },
    ],
    usage,
  }),
  chunks(said, body) {
    const chunk = (delta: object, finish: string | null, more: object = {}) =>
      `data: ${JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: CREATED,
        model: modelOf(body),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...more,
      })}\n\n`
    const calls = callsOf(said).flatMap((call, index) => {
      const { name, arguments: text } = call.function
      const half = Math.ceil(text.length / 2)
      return [
        chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }, null),
        chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] }, null),
        chunk({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }, null),
      ]
    })
    const end = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: CREATED,
      model: modelOf(body),
      choices: [],
      usage,
    }
    return [
      chunk({ role: 'assistant', content: '' }, null),
      ...said.words.map((word) => chunk({ content: word }, null)),
      ...calls,
      chunk({}, reasonOf(said)),
      `data: ${JSON.stringify(end)}\n\n`,
      'data: [DONE]\n\n',
    ]
  },
  lead: 1,
  errorEvent: () =>
    `data: ${JSON.stringify({ error: { message: 'The server had an error', type: 'server_error', param: null, code: null } })}\n\n`,
  refusal: (status) => ({
    error: {
      message: `Refused (${status}): incorrect key sk-provider-echo or whatever it was`,
      type: 'invalid_request_error',
      param: null,
      code: status === 401 ? 'invalid_api_key' : null,
    },
  }),
  models: () => ({
    object: 'list',
    data: [{ id: 'gpt-5', object: 'model', created: CREATED, owned_by: 'openai' }],
  }),
}

export const startOpenAi = (): Promise<Provider> => startProvider(openAiProtocol)
