import type { Instance } from './instance.ts'

export const PASSWORD = 'correct horse battery'

export interface Person {
  id: number
  email: string
  token: string
  refreshToken: string
}

let count = 0

/** Registers a user who is then signed in. */
export const register = async (instance: Instance, input: Record<string, unknown> = {}): Promise<Person> => {
  const email = `person-${++count}@example.org`
  const body = { email, password: PASSWORD, name: 'Ana Ruiz', ...input }
  const answer = await instance.post('/api/auth/register', body)
  if (answer.status !== 201) throw new Error(`Registering failed: ${JSON.stringify(answer.body)}`)
  const { token, refreshToken, user } = answer.body
  return { id: user.id, email: user.email, token, refreshToken }
}

/** Opens another session of the same user. */
export const signIn = async (
  instance: Instance,
  email: string,
): Promise<Pick<Person, 'token' | 'refreshToken'>> => {
  const answer = await instance.post('/api/auth/login', { email, password: PASSWORD })
  if (answer.status !== 200) throw new Error(`Signing in failed: ${JSON.stringify(answer.body)}`)
  return answer.body
}
