import { type ModelAnswer, type Protocol, type Provider, startProvider, USAGE } from './provider.ts'

const usageMetadata = {
  promptTokenCount: USAGE.input,
  candidatesTokenCount: USAGE.output,
  totalTokenCount: USAGE.input + USAGE.output,
}

const reasonOf = ({ isCut }: ModelAnswer): string => (isCut ? 'MAX_TOKENS' : 'STOP')

const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [
    { content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0, safetyRatings: [] },
  ],
  usageMetadata,
  modelVersion: 'gemini-2.5-pro',
  responseId: 'r1',
})

const partsOf = ({ words, calls }: ModelAnswer): object[] => [
  ...words.map((text) => ({ text })),
  ...calls.map(({ name, input }) => ({ functionCall: { name, args: input }, thoughtSignature: 'c2lnbmVk' })),
]

/** The Gemini API. */
const protocol: Protocol = {
  keyOf: (headers) => headers['x-goog-api-key'] as string | undefined,
  isStream: (path) => path.includes(':streamGenerateContent'),
  whole: (said) => candidate(partsOf(said), reasonOf(said)),
  chunks(said) {
    const parts = partsOf(said)
    return parts.map((part, index) => {
      const isLast = index === parts.length - 1
      return `data: ${JSON.stringify(candidate([part], isLast ? reasonOf(said) : undefined))}\r\n\r\n`
    })
  },
  lead: 0,
  errorEvent: () =>
    `data: ${JSON.stringify({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } })}\r\n\r\n`,
  refusal: (status) => ({
    error: { code: status, message: `Refused (${status}): sk-provider-echo`, status: 'UNAUTHENTICATED' },
  }),
  models: () => ({ models: [{ name: 'models/gemini-2.5-pro', displayName: 'Gemini 2.5 Pro' }] }),
}

export const startGoogle = (): Promise<Provider> => startProvider(protocol, '/v1beta')
