import { type ModelAnswer, type Protocol, type Provider, startProvider, USAGE } from './provider.ts'

const reasonOf = ({ calls, isCut }: ModelAnswer): string =>
  isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn'

const event = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** The Messages API. */
const protocol: Protocol = {
  keyOf: (headers) => headers['x-api-key'] as string | undefined,
  isStream: (_path, body) => (body as { stream?: boolean }).stream === true,
  whole: (said, body) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: (body as { model: string }).model,
    content: [
      ...(said.words.length > 0 ? [{ type: 'text', text: said.words.join('') }] : []),
      ...said.calls.map(({ name, input }, index) => ({
        type: 'tool_use',
        id: `toolu_${index}`,
        name,
        input,
      })),
    ],
    stop_reason: reasonOf(said),
    stop_sequence: null,
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  }),
  chunks(said, body) {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: (body as { model: string }).model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: USAGE.input, output_tokens: 1 },
    }
    const block = (index: number, start: object, deltas: object[]): string[] => [
      event({ type: 'content_block_start', index, content_block: start } as never),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta } as never)),
      event({ type: 'content_block_stop', index } as never),
    ]
    const first = said.words.length > 0 ? 1 : 0
    return [
      event({ type: 'message_start', message } as never),
      event({ type: 'ping' }),
      ...(first
        ? block(
            0,
            { type: 'text', text: '' },
            said.words.map((text) => ({ type: 'text_delta', text })),
          )
        : []),
      ...said.calls.flatMap(({ name, input }, index) =>
        block(index + first, { type: 'tool_use', id: `toolu_${index}`, name, input: {} }, [
          {
            type: 'input_json_delta',
            partial_json: typeof input === 'string' ? input : JSON.stringify(input),
          },
        ]),
      ),
      event({
        type: 'message_delta',
        delta: { stop_reason: reasonOf(said), stop_sequence: null },
        usage: { output_tokens: USAGE.output },
      } as never),
      event({ type: 'message_stop' }),
    ]
  },
  lead: 3,
  errorEvent: () =>
    event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as never),
  refusal: (status) => ({
    type: 'error',
    error: {
      type: status === 401 ? 'authentication_error' : 'api_error',
      message: `Refused (${status}): the key sk-provider-echo`,
    },
  }),
  models: () => ({
    data: [
      { type: 'model', id: 'claude-sonnet-4-5', display_name: 'Claude', created_at: '2025-09-29T00:00:00Z' },
    ],
    has_more: false,
  }),
}

export const startAnthropic = (): Promise<Provider> => startProvider(protocol)
