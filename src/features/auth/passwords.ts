import { availableParallelism } from 'node:os'
import { AppError, invalidField } from '../../platform/errors.ts'
import { defineTask, type Task, WorkerError } from '../../platform/workers/task.ts'
import { WorkerPool } from '../../platform/workers/worker-pool.ts'

/** The most common leaked passwords with eight or more characters, in lower case. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 12345678910 0123456789 0987654321 123123123 1234512345 11111111 111111111
  1111111111 00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999
  87654321 987654321 9876543210 147258369 159753456 123654789 741852963 789456123 11223344 1122334455 12341234
  12344321 123321123 112233445566 123456123456 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2
  zaq12wsx q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwer1234 qweasdzxc
  asdfghjk asdfghjkl asdf1234 asdfasdf zxcvbnm1 zxcvbnm123 zxcvbnmm qazwsxedc 1234qwer 123qweasd abcd1234 abcdefgh
  abcdefg1 abc12345 abc123456 a1b2c3d4 aa123456 aaaaaaaa a1234567 a12345678 password password1 password12 password123
  password1234 password12345 password! passw0rd p@ssw0rd p@ssword p4ssw0rd pa55word passwort passwort1 passwort123
  motdepasse contraseña contrasena kennwort wachtwoord administrator admin123 admin1234 admin12345 adminadmin
  root1234 rootroot toor1234 changeme changeme1 changeme123 default1 letmein1 letmein123 welcome1 welcome123
  welcome1234 hallo123 hello123 hello1234 iloveyou iloveyou1 iloveyou2 loveyou1 sunshine sunshine1 princess
  princess1 football football1 baseball baseball1 basketball superman superman1 batman123 spiderman starwars
  startrek michael1 jennifer jordan23 michelle jessica1 charlie1 ashley12 trustno1 whatever internet computer
  computer1 samsung1 nintendo pokemon1 minecraft liverpool liverpool1 chelsea1 arsenal1 barcelona manchester
  corvette mercedes porsche911 mustang1 dragon12 dragon123 monkey12 monkey123 master12 master123 shadow12 killer123
  access14 freedom1 blink182 babygirl babygirl1 butterfly chocolate elephant estrella fernando gabriela alexander
  alexandra jonathan nicholas benjamin victoria veronica patricia elizabeth danielle anthony1 samantha cheyenne
  maverick midnight mountain november december september february swordfish scorpion einstein napoleon godzilla
  test1234 test12345 testtest testing1 testing123 temp1234 guest123 user1234 demo1234 secret12 secret123 schalke04
  hunter12 maggie12 computer123 zxcvbnm, azertyui azertyuiop azerty123 football123 something nothing1 anything
  iloveu123 q2w3e4r5 1g2w3e4r 12qwaszx zaqwsxcde qwe123456 asd123456 123456qwe 123456abc 123456asd 123abc123 abc123abc
  88888888a 5201314520 woaini1314 woaini520 woaini123 1234567a 12345678a 123456789a 1234567890a a123456789 12345qwert`
    .split(/\s+/)
    .filter((word) => word.length >= 8),
)

/** Promised by the public interface. */
const COST = 10
const MIN_LENGTH = 8
/** bcrypt ignores all bytes after this length. */
const MAX_BYTES = 72
const MAX_WAITING = 200
/** A check takes a twentieth of a second. */
const TIMEOUT_MS = 10_000

/**
 * A hash that no password matches. Verifying it takes as long as a real hash, so timing does not reveal which
 * emails have an account.
 */
const createDummyHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$Xfe.maNnnjPvOiew.jX22ei7h0n0lRldrSuTa6mW8JYa//6tEIJlK`

const TASKS = new URL('./password-tasks.ts', import.meta.url)
const HASH = defineTask<{ password: string; cost: number }, string>(TASKS, 'hashPassword')
const VERIFY = defineTask<{ password: string; hash: string }, boolean>(TASKS, 'verifyPassword')

export const checkPassword = (path: string, password: string): void => {
  if ([...password].length < MIN_LENGTH)
    throw invalidField(path, `must have at least ${MIN_LENGTH} characters`)
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw invalidField(path, `must not be longer than ${MAX_BYTES} bytes`)
  if (COMMON_PASSWORDS.has(password.toLowerCase()))
    throw invalidField(path, 'is one of the most common passwords; choose another')
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time with and without a hash. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

/** One core stays free for the thread that answers requests. Many simultaneous sign-ins wait in a queue. */
export const createPasswordThreads = (): WorkerPool =>
  new WorkerPool({
    threads: Math.max(1, availableParallelism() - 1),
    queued: MAX_WAITING,
    isLowPriority: true,
  })

const tooManySignIns = (cause: WorkerError): AppError =>
  new AppError('unavailable', 'unavailable', 'Too many people are signing in. Try again in a moment.', {
    cause,
    details: { retryAfterSeconds: 5 },
  })

/** Hashes passwords with bcrypt in threads of their own. */
export const createPasswords = (threads: Pick<WorkerPool, 'run'>, cost = COST): Passwords => {
  const dummyHash = createDummyHash(cost)
  const run = async <Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output> => {
    try {
      return await threads.run(task, input, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      throw error instanceof WorkerError && error.kind === 'busy' ? tooManySignIns(error) : error
    }
  }
  return {
    hash: (password) => run(HASH, { password, cost }),
    async verify(password, storedHash) {
      const matches = await run(VERIFY, { password, hash: storedHash ?? dummyHash })
      return matches && storedHash !== undefined && Buffer.byteLength(password) <= MAX_BYTES
    },
  }
}
