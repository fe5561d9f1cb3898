/* The account baseline. It verifies the signature of the token. Its requests are in comparisons.ts. */
import { Me } from '../src/features/auth/schema.ts'
import { deriveKeys } from '../src/platform/secrets/seal.ts'
import { verifyJws } from '../src/platform/secrets/signatures.ts'
import { openPlainServer } from './plain-server.ts'

const { app, database, listen } = openPlainServer()
const { SECRET_KEY, HEALTH } = process.env as Record<string, string>
const key = deriveKeys(SECRET_KEY as string).signing

const me = database.prepare(
  `select users.id, users.email, users.name, null as "avatarUrl", users.timezone, users.role,
     0 as "twoFactorEnabled", users."createdAt"
   from sessions join users on users.id = sessions."userId" where sessions.id = ?`,
)
app.get('/api/auth/me', { schema: { response: { 200: Me } } }, async (request) => {
  const payload = verifyJws((request.headers.authorization ?? '').slice('Bearer '.length), key)
  const { sid } = JSON.parse(String(payload)) as { sid: string }
  return me.get(sid) as never
})

const one = database.prepare('select 1')
const health = JSON.parse(HEALTH ?? '{}') as Record<string, unknown>
app.get('/api/health', async () => {
  one.get()
  return health
})
await listen()
