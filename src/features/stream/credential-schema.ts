import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { strict } from './schema.ts'

const Platform = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', examples: ['twitch'] })
const ServerUrl = Type.String({
  maxLength: 500,
  pattern: '^(rtmps?|srt|https?|wss?)://[^\\s/@]+(/\\S*)?$',
  examples: ['rtmps://live.example.org/app'],
  description: 'Where the stream is sent; no secret, it is shown',
})
const Secret = Type.Optional(
  Type.String({ minLength: 1, maxLength: 4000, examples: ['live_1234567890_abcdef'] }),
)

export const Credential = Type.Object(
  {
    platform: Platform,
    configured: Type.Boolean({ examples: [true] }),
    fields: Type.Array(Type.String({ examples: ['streamKey'] }), { description: 'Which secrets are kept' }),
    hint: Type.String({ examples: ['…cdef'] }),
    serverUrl: Nullable(ServerUrl),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'StreamCredential' },
)
export const CredentialWish = Type.Object(
  {
    streamKey: Secret,
    key: Secret,
    token: Secret,
    accessToken: Secret,
    refreshToken: Secret,
    apiKey: Secret,
    clientId: Secret,
    clientSecret: Secret,
    username: Secret,
    password: Secret,
    serverUrl: Type.Optional(Nullable(ServerUrl)),
  },
  { ...strict, title: 'StreamCredentialWish' },
)
export type CredentialWish = Type.Static<typeof CredentialWish>
export const CredentialPath = Type.Object({ platform: Platform }, strict)
export const CredentialList = Type.Object(
  { credentials: Type.Array(Credential), nextCursor: NextCursor },
  { title: 'StreamCredentialList' },
)
