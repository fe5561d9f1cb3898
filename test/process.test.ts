import { once } from 'node:events'
import { statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { command } from './support/command-line.ts'
import { type DataPlace, makeDataPlace, onOneDatabase, onPostgresOnly } from './support/databases.ts'
import { OUTER_ADDRESS } from './support/outer-address.ts'
import { PASSWORD } from './support/people.ts'
import { runFactotum, startFactotum } from './support/process.ts'

const post = (url: string, path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const registration = (email: string) => ({ email, password: PASSWORD, name: 'Ana' })

/** Creates an empty data location, as before a first start, or a prepared one, as before any other. */
const withPlace = async (
  engine: 'sqlite' | 'postgres',
  state: 'empty' | 'prepared',
  test: (place: DataPlace) => Promise<void>,
): Promise<void> => {
  const place = await makeDataPlace(engine, state === 'prepared' ? state : undefined)
  try {
    await test(place)
  } finally {
    await place.remove()
  }
}

describe('a start', () => {
  it.each([
    ['PORT', 'eighty'],
    ['ACCESS', 'public'],
    ['PUBLIC_URL', 'desk.example.org'],
    ['OUTBOUND_ALLOW', 'not/a/network'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['ACCESS_TOKEN_TTL', 'forever'],
    ['SECRET_KEY', 'short'],
  ])('with an invalid %s ends with one line that names it', async (name, value) => {
    const end = await command(['serve'], { [name]: value })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr.trim().split('\n')).toHaveLength(1)
    expect(end.stderr).toContain(name)
  })

  it('on all addresses prints each reachable one, and names the settings for a host name', async () => {
    await withPlace('sqlite', 'prepared', async (place) => {
      const running = await startFactotum({ ...place.environment, HOST: '0.0.0.0', LOG_LEVEL: 'warn' })
      const { port } = new URL(running.url)
      for (const address of ['127.0.0.1', ...(OUTER_ADDRESS === '127.0.0.2' ? [] : [OUTER_ADDRESS])]) {
        expect(running.output()).toContain(` http://${address}:${port}\n`)
        expect((await fetch(`http://${address}:${port}/api/health`)).status).toBe(200)
      }
      expect(running.output()).toMatch(/"level":"warn".*PUBLIC_URL.*ALLOWED_HOSTS/)
      running.child.kill('SIGTERM')
      await running.ended
    })
  })

  it('on a port in use fails with one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    await withPlace('sqlite', 'prepared', async (place) => {
      const { port } = server.address() as AddressInfo
      const running = runFactotum(['serve'], { ...place.environment, PORT: String(port) })
      expect(await running.ended).toBe(1)
      expect(running.output().trim()).toBe(
        `factotum: Port ${port} is already in use. Stop the program that uses it, or set PORT to another port.`,
      )
    })
    server.close()
  })

  it('prints the locations, the access mode and the AI; with --demo adds sample data once', async () => {
    await withPlace('sqlite', 'prepared', async (place) => {
      const running = await startFactotum(place.environment, ['--demo'])
      expect(running.output()).toContain(`Console   ${running.url}`)
      expect(running.output()).toContain(`${running.url}/docs`)
      expect(running.output()).toContain(place.dataDir)
      expect(running.output()).toContain('open (no token required, on this machine only)')
      expect(running.output()).toContain('built-in engine')
      const [, email, password] = /sign in as (\S+) with the password (\S+)/.exec(running.output()) ?? []
      expect((await post(running.url, '/api/auth/login', { email, password })).status).toBe(200)
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
      const again = await startFactotum(place.environment, ['--demo'])
      expect(again.output()).toContain('not added, because this instance has an account')
      expect((await post(again.url, '/api/auth/login', { email, password })).status).toBe(200)
      again.child.kill('SIGTERM')
      expect(await again.ended).toBe(0)
    })
  })

  it('creates a secret and a database that only their owner can read, also with two concurrent first starts', async () => {
    await withPlace('sqlite', 'empty', async (place) => {
      const environment = { DATA_DIR: place.dataDir }
      const [one, two] = await Promise.all([startFactotum(environment), startFactotum(environment)])
      for (const name of ['secret.key', 'factotum.db', 'factotum.db-wal'])
        expect(statSync(join(place.dataDir, name)).mode & 0o777).toBe(0o600)
      const { token } = (await (
        await post(one.url, '/api/auth/register', registration('a@example.org'))
      ).json()) as {
        token: string
      }
      const me = await fetch(`${two.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(me.status).toBe(200)
      for (const { child, ended } of [one, two]) {
        child.kill('SIGTERM')
        expect(await ended).toBe(0)
      }
    })
  })

  it('from the sources runs, and stops without an error', () =>
    withPlace('sqlite', 'prepared', async ({ environment }) => {
      const running = runFactotum(['serve'], { PORT: '0', ...environment }, 'src/main.ts')
      while (!running.output().includes('Console')) await once(running.child.stdout as Readable, 'data')
      running.child.kill('SIGTERM')
      expect(await running.ended, running.output()).toBe(0)
      expect(running.output()).not.toContain('Error')
    }))

  it('with an unknown command suggests the nearest one', async () => {
    const end = await command(['serv'], {})
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('Did you mean "serve"?')
  })
})

onPostgresOnly('two first starts at once', () => {
  it('both succeed on one empty database, migrated once', async () => {
    await withPlace('postgres', 'empty', async (place) => {
      const both = await Promise.all([startFactotum(place.environment), startFactotum(place.environment)])
      for (const { url } of both) expect((await fetch(`${url}/api/health`)).status).toBe(200)
      const [one, two] = both as [(typeof both)[0], (typeof both)[0]]
      expect((await post(one.url, '/api/auth/register', registration('a@example.org'))).status).toBe(201)
      expect(
        (await post(two.url, '/api/auth/login', { email: 'a@example.org', password: PASSWORD })).status,
      ).toBe(200)
      for (const { child, ended } of both) {
        child.kill('SIGTERM')
        expect(await ended).toBe(0)
      }
    })
  })
})

describe('a stop with SHUTDOWN_DELAY', () => {
  it('answers requests while the health check fails, and closes their connections', async () => {
    await withPlace('sqlite', 'prepared', async (place) => {
      const running = await startFactotum({ ...place.environment, SHUTDOWN_DELAY: '300' })
      running.child.kill('SIGTERM')
      await expect.poll(async () => (await fetch(`${running.url}/api/health`)).status).toBe(503)
      const created = await post(running.url, '/api/tasks', { title: 'Late' })
      expect([created.status, created.headers.get('connection')]).toEqual([201, 'close'])
      // Signals within a second count as one.
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(1)
    })
  })

  it('ends after the delay', async () => {
    await withPlace('sqlite', 'prepared', async (place) => {
      const running = await startFactotum({ ...place.environment, SHUTDOWN_DELAY: '1' })
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
    })
  })
})

onOneDatabase('postgres', 'an instance that is stopped', (engine) => {
  /** Starts a request whose body has not arrived yet. */
  const beginRequest = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong wrong' })
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    // A later response shows that this request has arrived.
    await (await fetch(`${url}/api/health`)).text()
    return { socket, body }
  }

  it('completes requests in progress, then exits', async () => {
    await withPlace(engine, 'prepared', async (place) => {
      const running = await startFactotum(place.environment)
      const { socket, body } = await beginRequest(running.url)
      running.child.kill('SIGTERM')
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk.toString()
      })
      socket.write(body)
      expect(await running.ended).toBe(0)
      expect(answer).toContain('HTTP/1.1 401')
    })
  })

  it('can be stopped as soon as it listens, before startup is complete', async () => {
    await withPlace(engine, 'prepared', async (place) => {
      const probe = createServer().listen(0, '127.0.0.1')
      await once(probe, 'listening')
      const { port } = probe.address() as AddressInfo
      await new Promise((resolve) => probe.close(resolve))
      const running = runFactotum(['serve'], { ...place.environment, PORT: String(port) })
      const answers = (): Promise<boolean> =>
        new Promise((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
          socket.on('close', () => resolve(false))
          running.ended.then(() => socket.destroy())
        })
      while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 2))
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
      expect(running.output()).not.toContain('Error')
    })
  })

  it('exits at once at the second signal', async () => {
    await withPlace(engine, 'prepared', async (place) => {
      const running = await startFactotum(place.environment)
      const { socket } = await beginRequest(running.url)
      socket.on('error', () => {})
      running.child.kill('SIGTERM')
      // Two signals within a second count as one: a terminal and npm may both forward one Ctrl+C.
      running.child.kill('SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      expect(running.child.exitCode).toBeNull()
      // A process that handled the first signal late, on a busy machine, ignores the next one too.
      const again = setInterval(() => running.child.kill('SIGTERM'), 1_200)
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(1)
      clearInterval(again)
    })
  })
})

/**
 * A database behind a TCP proxy. `stall` drops all data without closing a connection, and resolves `queried` when a
 * query arrives.
 */
const withProxy = async (
  test: (environment: Record<string, string>, stall: () => { queried: Promise<void> }) => Promise<void>,
): Promise<void> =>
  withPlace('postgres', 'prepared', async (place) => {
    const there = new URL(place.environment.DATABASE_URL as string)
    const ends: Socket[] = []
    const queried = Promise.withResolvers<void>()
    let isStalled = false
    const proxy = createServer((near) => {
      const far = connect(Number(there.port), there.hostname)
      for (const end of [near, far]) ends.push(end.on('error', () => {}))
      near.on('data', (data) => (isStalled ? queried.resolve() : far.write(data)))
      far.on('data', (data) => isStalled || near.write(data))
      near.on('end', () => isStalled || far.end())
      far.on('end', () => isStalled || near.end())
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const here = new URL(there)
    here.port = String((proxy.address() as AddressInfo).port)
    try {
      await test({ ...place.environment, DATABASE_URL: here.href }, () => {
        isStalled = true
        return { queried: queried.promise }
      })
    } finally {
      for (const end of ends) end.destroy()
      proxy.close()
    }
  })

onPostgresOnly('a database that stopped answering', () => {
  it('does not prevent a process from stopping', () =>
    withProxy(async (environment, stall) => {
      const running = await startFactotum(environment)
      stall()
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
    }))

  it('does not prevent it while a query waits for its result either', () =>
    withProxy(async (environment, stall) => {
      const running = await startFactotum(environment)
      const { queried } = stall()
      const request = post(running.url, '/api/auth/register', registration('ana@example.org'))
      const lost = expect(request).rejects.toThrow()
      await queried
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
      await lost
      expect(running.output()).toContain('abandoning unfinished work')
    }))
})
