import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ALL_ACCOUNTS } from '../src/database/all-accounts.ts'
import { MINUTE } from './support/clock.ts'
import { onOneDatabase } from './support/databases.ts'
import { type Instance, startInstance } from './support/instance.ts'
import { PASSWORD, type Person, register } from './support/people.ts'

onOneDatabase('sqlite', 'two-factor authentication', (engine) => {
  let instance: Instance
  beforeAll(async () => {
    instance = await startInstance({ engine })
  })
  afterAll(() => instance.close())

  const path = '/api/settings/security/2fa'
  const codeFor = (secret: string, offsetMs = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: instance.clock.now().getTime() + offsetMs,
    })
  const login = (person: Person, code?: string) =>
    instance.post('/api/auth/login', {
      email: person.email,
      password: PASSWORD,
      ...(code !== undefined && { code }),
    })

  const setUp = async () => {
    const person = await register(instance)
    const { body } = await instance.post(`${path}/setup`, { password: PASSWORD }, { token: person.token })
    return { person, secret: body.secret as string, setup: body }
  }
  const turnOn = async () => {
    const { person, secret } = await setUp()
    const answer = await instance.post(
      `${path}/enable`,
      { password: PASSWORD, code: codeFor(secret) },
      { token: person.token },
    )
    expect(answer.status).toBe(200)
    // Moves to the next step, because the code that enabled the second factor is used.
    instance.clock.advance(MINUTE)
    return { person, secret, backupCodes: answer.body.backupCodes as string[] }
  }

  it('returns a secret, an otpauth URL and a QR code, and requires no code until one was verified', async () => {
    const { person, secret, setup } = await setUp()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(setup.otpauthUrl).toContain(`secret=${secret}`)
    expect(setup.otpauthUrl).toContain('issuer=Factotum')
    expect(setup.qr).toMatch(/^data:image\/png;base64,/)
    const status = await instance.get(path, { token: person.token })
    expect(status.body).toEqual({ enabled: false, enabledAt: null, pending: true, backupCodesLeft: 0 })
    expect((await login(person)).status).toBe(200)
  })

  it('is not enabled by a wrong code or without a set-up', async () => {
    const { person, secret } = await setUp()
    const wrong = await instance.post(
      `${path}/enable`,
      { password: PASSWORD, code: codeFor(secret, 10 * MINUTE) },
      { token: person.token },
    )
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_two_factor_code'])
    const other = await register(instance)
    const without = await instance.post(
      `${path}/enable`,
      { password: PASSWORD, code: '123456' },
      { token: other.token },
    )
    expect(without.status).toBe(409)
  })

  it('requires a correct code at login when it is enabled', async () => {
    const { person, secret } = await turnOn()
    const asked = await login(person)
    expect([asked.status, asked.body.code]).toEqual([401, 'two_factor_required'])
    const wrong = await login(person, '000000')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_two_factor_code'])
    expect((await login(person, codeFor(secret))).status).toBe(200)
    const me = await instance.get('/api/auth/me', { token: person.token })
    expect(me.body.twoFactorEnabled).toBe(true)
  })

  it('accepts codes of the previous and the next step only', async () => {
    const { person, secret } = await turnOn()
    // Moves to the middle of a step, so that no step begins between creating a code and using it.
    instance.clock.advance(45_000 - (instance.clock.now().getTime() % 30_000))
    expect((await login(person, codeFor(secret, -61_000))).status).toBe(401)
    expect((await login(person, codeFor(secret, 61_000))).status).toBe(401)
    expect((await login(person, codeFor(secret, -30_000))).status).toBe(200)
    expect((await login(person, codeFor(secret, 30_000))).status).toBe(200)
  })

  it('accepts each code once, even in five concurrent requests', async () => {
    const { person, secret } = await turnOn()
    const code = codeFor(secret)
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(person, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
  })

  it('returns ten backup codes that each work once, even in five concurrent requests', async () => {
    const { person, backupCodes } = await turnOn()
    expect(new Set(backupCodes).size).toBe(10)
    const [first, second] = backupCodes as [string, string]
    const answers = await Promise.all(Array.from({ length: 5 }, () => login(person, first)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expect((await login(person, second.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    const status = await instance.get(path, { token: person.token })
    expect(status.body.backupCodesLeft).toBe(8)
  })

  it('invalidates the old backup codes when they are replaced', async () => {
    const { person, backupCodes } = await turnOn()
    const renewed = await instance.post(
      `${path}/backup-codes`,
      { password: PASSWORD },
      { token: person.token },
    )
    expect(renewed.body.backupCodes).toHaveLength(10)
    expect((await login(person, backupCodes[0])).status).toBe(401)
    expect((await login(person, renewed.body.backupCodes[0])).status).toBe(200)
  })

  it('limits wrong codes per account, so that an attacker with the password cannot try them all', async () => {
    const { person, secret } = await turnOn()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await login(person, '111111')).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await login(person, codeFor(secret))).status).toBe(429)
  })

  it('accepts a code from a known browser after another client has reached the limit', async () => {
    const { person, secret } = await turnOn()
    const attacker = { headers: { 'user-agent': 'Attacker/1.0' } }
    const guess = { email: person.email, password: PASSWORD, code: '111111' }
    for (let n = 0; n < 10; n++)
      expect((await instance.post('/api/auth/login', guess, attacker)).status).toBe(401)
    expect((await instance.post('/api/auth/login', guess, attacker)).status).toBe(429)
    instance.clock.advance(MINUTE)
    expect((await login(person, codeFor(secret))).status).toBe(200)
  })

  it('is disabled with the password and then requires no code', async () => {
    const { person } = await turnOn()
    const wrong = await instance.post(
      `${path}/disable`,
      { password: 'not this one' },
      { token: person.token },
    )
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
    const off = await instance.post(`${path}/disable`, { password: PASSWORD }, { token: person.token })
    expect(off.body).toEqual({ enabled: false, enabledAt: null, pending: false, backupCodesLeft: 0 })
    expect((await login(person)).status).toBe(200)
  })

  it('stores its secret sealed and its backup codes hashed', async () => {
    const { person, secret, backupCodes } = await turnOn()
    const user = await instance.database.db
      .selectFrom('users')
      .select('twoFactorSecret')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(user.twoFactorSecret).toMatch(/^s1\./)
    expect(user.twoFactorSecret).not.toContain(secret)
    const codes = await instance.database.db
      .selectFrom('backup_codes')
      .selectAll()
      .modifyEnd(ALL_ACCOUNTS)
      .execute()
    expect(JSON.stringify(codes)).not.toContain(backupCodes[0])
  })

  it('accepts only backup codes when the SECRET_KEY is lost', async () => {
    const { person, secret, backupCodes } = await turnOn()
    const lost = await startInstance({
      engine,
      place: instance.place,
      clock: instance.clock,
      environment: { SECRET_KEY: 'a key that never sealed anything here' },
    })
    const enter = (code: string | undefined) =>
      lost.post('/api/auth/login', { email: person.email, password: PASSWORD, code })
    expect((await enter(codeFor(secret))).body.code).toBe('invalid_two_factor_code')
    expect((await enter(backupCodes[0])).status).toBe(200)
    await lost.close()
  })

  it('works after a rotation of SECRET_KEY and is sealed with the new key', async () => {
    const first = await startInstance({ engine })
    const person = await register(first)
    const { body } = await first.post(`${path}/setup`, { password: PASSWORD }, { token: person.token })
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(body.secret) }).generate({
        timestamp: first.clock.now().getTime(),
      })
    await first.post(`${path}/enable`, { password: PASSWORD, code: code() }, { token: person.token })
    first.clock.advance(MINUTE)
    const rotated = {
      SECRET_KEY: 'a new key that is long enough to be one',
      SECRET_KEY_PREVIOUS: first.place.environment.SECRET_KEY as string,
    }
    if (engine === 'sqlite') await first.app.close()
    const second = await startInstance({
      engine,
      place: first.place,
      clock: first.clock,
      environment: rotated,
    })
    const { inTransaction } = await import('../src/database/transaction.ts')
    await inTransaction(second.database.db, (tx) => second.app.features.twoFactor.reseal(tx))
    await second.close()
    const third = await startInstance({
      engine,
      place: first.place,
      clock: first.clock,
      environment: { SECRET_KEY: rotated.SECRET_KEY },
    })
    const answer = await third.post('/api/auth/login', {
      email: person.email,
      password: PASSWORD,
      code: code(),
    })
    expect(answer.status).toBe(200)
    await third.close()
    if (engine === 'postgres') await first.app.close()
    await first.place.remove()
  })
})
