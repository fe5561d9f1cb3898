import type { Instance } from './instance.ts'
import { type Person, register } from './people.ts'

/** Adds a mail account with unreachable servers, for a person or for the owner: sent mail stays in the outbox. */
export const addAccountToSendWith = async (
  instance: Instance,
  person?: Pick<Person, 'token'>,
): Promise<string> => {
  const { token } = person ?? (await register(instance))
  const server = { host: '127.0.0.1', port: 9, tls: 'none' }
  const input = { address: 'me@example.org', password: 'secret', imap: server, smtp: server }
  const { status, body } = await instance.post('/api/settings/mail-accounts', input, { token })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}
