import { AppError, invalidField } from '../../platform/errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

/** Fixed by the interface we promised. */
const COST = 10
const SHORTEST = 8
/** bcrypt reads no further: a longer one would be cut without a word. */
const LONGEST_BYTES = 72
const MOST_WAITING = 200

/** What nobody's password matches: checked when there is no account, so that an unknown e-mail takes as long. */
const nobodysHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$Xfe.maNnnjPvOiew.jX22ei7h0n0lRldrSuTa6mW8JYa//6tEIJlK`

/** Loaded with the first password: until someone signs in, nothing of it is in memory. */
const loadBcrypt = () => import('@node-rs/bcrypt')

export const checkPassword = (path: string, password: string): void => {
  if ([...password].length < SHORTEST) throw invalidField(path, `must have at least ${SHORTEST} characters`)
  if (Buffer.byteLength(password) > LONGEST_BYTES)
    throw invalidField(path, `must not be longer than ${LONGEST_BYTES} bytes`)
  if (COMMON_PASSWORDS.has(password.toLowerCase()))
    throw invalidField(path, 'is among the first that anyone would try; choose another')
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long whether there is a hash to compare with or not. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

/**
 * bcrypt runs on other threads, but cores are few: a bounded number at a time leaves the event loop its share,
 * and a storm of logins waits in line instead of making everyone wait.
 */
export const createPasswords = (parallel: number, cost = COST): Passwords => {
  const nobodys = nobodysHash(cost)
  const waiting: (() => void)[] = []
  let running = 0
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= MOST_WAITING)
      throw new AppError(
        'unavailable',
        'unavailable',
        'Too many people are signing in. Try again in a moment.',
        {
          details: { retryAfterSeconds: 5 },
        },
      )
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
  return {
    hash: (password) => inTurn(async () => (await loadBcrypt()).hash(password, cost)),
    async verify(password, known) {
      const matches = await inTurn(async () => (await loadBcrypt()).verify(password, known ?? nobodys))
      return matches && known !== undefined && Buffer.byteLength(password) <= LONGEST_BYTES
    },
  }
}
