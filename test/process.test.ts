import { once } from 'node:events'
import { statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from './support/command-line.ts'
import { type DataPlace, makeDataPlace, onEveryDatabase, onPostgresOnly } from './support/databases.ts'
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

/** An empty place, as it is before a first start, or a prepared one, as it is before any other. */
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
  ])('with a bad %s ends with one line that names it', async (name, value) => {
    const end = await command(['serve'], { [name]: value })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr.trim().split('\n')).toHaveLength(1)
    expect(end.stderr).toContain(name)
  })

  it('on every address prints each that people can open, and names the settings for a name', async () => {
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

  it('on a port that is taken says so in one line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    await withPlace('sqlite', 'prepared', async (place) => {
      const { port } = server.address() as AddressInfo
      const running = runFactotum(['serve'], { ...place.environment, PORT: String(port) })
      expect(await running.ended).toBe(1)
      expect(running.output().trim()).toBe(
        `factotum: Port ${port} is in use already. Stop what uses it, or set PORT to another.`,
      )
    })
    server.close()
  })

  it('prints where the console, the docs and the data are, who has access and which AI answers', async () => {
    await withPlace('sqlite', 'prepared', async (place) => {
      const running = await startFactotum(place.environment)
      expect(running.output()).toContain(`Console   ${running.url}`)
      expect(running.output()).toContain(`${running.url}/docs`)
      expect(running.output()).toContain(place.dataDir)
      expect(running.output()).toContain('open (no token needed, on this machine only)')
      expect(running.output()).toContain('built-in engine')
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
    })
  })

  it('with --demo fills an empty instance with a sample, and tells how to sign in', async () => {
    await withPlace('sqlite', 'prepared', async (place) => {
      const running = await startFactotum(place.environment, ['--demo'])
      const [, email, password] = /sign in as (\S+) with the password (\S+)/.exec(running.output()) ?? []
      expect((await post(running.url, '/api/auth/login', { email, password })).status).toBe(200)
      running.child.kill('SIGTERM')
      await running.ended
      const again = await command(['serve', '--demo'], { ...place.environment, PORT: '0' })
      expect(again.code).toBe(1)
      expect(again.stderr).toContain('sample data goes into an empty one only')
    })
  })

  it('makes a secret and a database that only their owner may read, and two first starts at once agree on it', async () => {
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

  it('with an unknown command names the nearest one', async () => {
    const end = await command(['serv'], {})
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('Did you mean "serve"?')
  })
})

onEveryDatabase('two first starts at once', (engine) => {
  it('both come up on one empty database, migrated once', async () => {
    await withPlace(engine, 'empty', async (place) => {
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

onEveryDatabase('an instance that is stopped', (engine) => {
  /** A request whose body has not come yet. */
  const beginRequest = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong wrong' })
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    // Once another answer has come, this request is known to have been taken up.
    await (await fetch(`${url}/api/health`)).text()
    return { socket, body }
  }

  it('finishes what is in flight, then goes', async () => {
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

  it('may be stopped the moment it listens, with half of its start still ahead', async () => {
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

  it('leaves at once at the second signal', async () => {
    await withPlace(engine, 'prepared', async (place) => {
      const running = await startFactotum(place.environment)
      const { socket } = await beginRequest(running.url)
      socket.on('error', () => {})
      running.child.kill('SIGTERM')
      // Two within a second are one: a terminal and npm may both pass on a single Ctrl+C.
      running.child.kill('SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      expect(running.child.exitCode).toBeNull()
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(1)
    })
  })

  it('with kill -9 has kept everything it had acknowledged', async () => {
    await withPlace(engine, 'prepared', async (place) => {
      const first = await startFactotum(place.environment)
      const email = 'kept@example.org'
      const made = await post(first.url, '/api/auth/register', registration(email))
      expect(made.status).toBe(201)
      const titles = Array.from({ length: 25 }, (_, n) => `Kept ${n}`)
      const kept = await Promise.all(titles.map((title) => post(first.url, '/api/tasks', { title })))
      expect(kept.map(({ status }) => status)).toEqual(titles.map(() => 201))
      first.child.kill('SIGKILL')
      expect(await first.ended).toBe('SIGKILL')
      const second = await startFactotum(place.environment)
      expect((await post(second.url, '/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
      const { tasks } = (await (await fetch(`${second.url}/api/tasks?limit=200`)).json()) as {
        tasks: { title: string }[]
      }
      expect(tasks.map(({ title }) => title).toSorted()).toEqual(titles.toSorted())
      second.child.kill('SIGTERM')
      await second.ended
    })
  })
})

/** A database behind a door that can be shut without a word. */
const withDoor = async (
  test: (environment: Record<string, string>, shut: () => void) => Promise<void>,
): Promise<void> =>
  withPlace('postgres', 'prepared', async (place) => {
    const there = new URL(place.environment.DATABASE_URL as string)
    const ends: Socket[] = []
    const door = createServer((near) => {
      const far = connect(Number(there.port), there.hostname)
      near.pipe(far).pipe(near)
      for (const end of [near, far]) ends.push(end.on('error', () => {}))
    }).listen(0, '127.0.0.1')
    await once(door, 'listening')
    const here = new URL(there)
    here.port = String((door.address() as AddressInfo).port)
    try {
      await test({ ...place.environment, DATABASE_URL: here.href }, () => {
        for (const end of ends) end.unpipe().pause()
      })
    } finally {
      for (const end of ends) end.destroy()
      door.close()
    }
  })

onPostgresOnly('a database that has fallen silent', () => {
  it('does not keep a process that was told to stop', { timeout: 60_000 }, () =>
    withDoor(async (environment, shut) => {
      const running = await startFactotum(environment)
      shut()
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
    }),
  )

  it('does not keep it either when something waits for its answer', { timeout: 60_000 }, () =>
    withDoor(async (environment, shut) => {
      const running = await startFactotum(environment)
      shut()
      const request = post(running.url, '/api/auth/register', registration('ana@example.org'))
      const lost = expect(request).rejects.toThrow()
      await new Promise((resolve) => setTimeout(resolve, 300))
      running.child.kill('SIGTERM')
      expect(await running.ended).toBe(0)
      await lost
      expect(running.output()).toContain('leaving what has not ended')
    }),
  )
})
