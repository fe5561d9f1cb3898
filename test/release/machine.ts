import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { run } from '../../scripts/release/packages.ts'

/** Makes a root file system the root of new namespaces, and ends with the process that started it. */
const createBootScript = (mountControlGroups: string, run: string): string => `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
${mountControlGroups}
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mount -t tmpfs tmpfs "$1/tmp"
hostname "$2"
ip link set lo up
cd "$1"
pivot_root . mnt
umount --lazy /mnt
echo ready
exec ${run}`

const BOOT = createBootScript('', 'cat')

/** systemd needs control groups of its own. It finds both generations, or the newer one alone. */
const BOOT_SYSTEMD = createBootScript(
  `groups="$1/sys/fs/cgroup"
if [ -e $groups/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 $groups
else
  mount -t tmpfs tmpfs $groups
  mkdir $groups/systemd $groups/unified
  mount -t cgroup -o none,name=systemd cgroup $groups/systemd
  mount -t cgroup2 cgroup2 $groups/unified
fi`,
  'env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=basic.target >/dev/null 2>&1',
)

/** Enters a new control group, which the namespace then takes as its root. */
const ENTER_CONTROL_GROUP = `for group in "$@"; do
  mkdir -p $group
  echo $$ > $group/cgroup.procs
done
exec unshare --cgroup`

const listControlGroups = (name: string): string[] =>
  ['', 'systemd', 'unified']
    .map((each) => join('/sys/fs/cgroup', each))
    .filter((each) => existsSync(join(each, 'cgroup.procs')))
    .map((each) => join(each, `factotum-${name}`))

const CLIENT = fileURLToPath(new URL('./client.mjs', import.meta.url))

interface Answer {
  status: number
  /** The JSON of the answer, or its text. */
  body: unknown
}

interface RequestOptions {
  method?: string
  body?: unknown
  token?: string
}

/**
 * A Debian with its own processes, network, mounts and host name. It has no other network than its loopback, so it
 * cannot download anything, and port 3000 is free.
 */
export interface Machine {
  root: string
  /** Runs a shell command in /root. Throws with the output if it fails. */
  run(command: string): string
  /** Starts a shell command that keeps running. */
  start(command: string): Server
  request(url: string, options?: RequestOptions): Answer
  /** Sends one half of a request. `finish` sends the rest. */
  startRequest(url: string, options: RequestOptions): Promise<{ finish(): Promise<Answer> }>
  untilHealthy(url?: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface Server {
  /** The exit code. */
  ended: Promise<number | null>
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>
}

export const SITE = 'http://127.0.0.1:3000'

/** Starts a machine with a copy of a root file system, in which `systemd` runs on request. */
export const createMachine = async (
  base: string,
  root: string,
  { systemd = false } = {},
): Promise<Machine> => {
  rmSync(root, { recursive: true, force: true })
  run('cp', ['--archive', base, root])
  const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--fork', '--kill-child']
  const name = root.slice(root.lastIndexOf('/') + 1)
  const controlGroups = systemd ? listControlGroups(name) : []
  const boot = [...namespaces, 'sh', '-c', systemd ? BOOT_SYSTEMD : BOOT, 'sh', root, name]
  const keeper = spawn(
    'sh',
    [
      '-c',
      `${systemd ? ENTER_CONTROL_GROUP : 'exec unshare'} ${boot.map(quote).join(' ')}`,
      'sh',
      ...controlGroups,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  await Promise.race([
    once(keeper.stdout, 'data'),
    once(keeper, 'exit').then(() => Promise.reject(new Error(`${name} did not start.`))),
  ])
  const pid = readFileSync(`/proc/${keeper.pid}/task/${keeper.pid}/children`, 'utf8').trim()
  const enter = ['--target', pid, '--mount', '--pid', '--net', '--uts', '--ipc', '--root']
  const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C' }
  const inside = (command: string) => [...enter, '--', '/bin/sh', '-c', `cd /root && ${command}`]

  const requestArguments = (url: string, { method, body, token }: RequestOptions, pause = false) => [
    ...['--target', pid, '--net', '--', process.execPath, CLIENT],
    JSON.stringify({
      url,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      pause,
    }),
  ]
  const request = (url: string, options: RequestOptions = {}): Answer =>
    readAnswer(run('nsenter', requestArguments(url, options)))

  let servers = 0
  return {
    root,
    run(command) {
      const { status, stdout, stderr } = spawnSync('nsenter', inside(command), { encoding: 'utf8', env })
      if (status !== 0) throw new Error(`${name}: ${command}\n${stdout}${stderr}`)
      return stdout.trim()
    },
    start(command) {
      // nsenter does not pass signals on, so the process writes down its number.
      const file = `/run/server-${servers++}`
      const child = spawn('nsenter', inside(`echo $$ > ${file} && exec ${command}`), {
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      const ended = waitForExit(child)
      return {
        ended,
        async stop() {
          run('nsenter', inside(`kill -TERM $(cat ${file})`), { env })
          return ended
        },
      }
    },
    request,
    async startRequest(url, options) {
      const child = spawn('nsenter', requestArguments(url, options, true), {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
      })
      await expect.poll(() => output).toContain('half\n')
      return {
        async finish() {
          child.stdin.write('rest\n')
          await waitForExit(child)
          return readAnswer(output.replace('half\n', ''))
        },
      }
    },
    async untilHealthy(url = SITE) {
      let answer: Answer = { status: 0, body: undefined }
      await expect
        .poll(() => {
          answer = request(`${url}/api/health`)
          return answer.status
        })
        .toBe(200)
      return answer.body as Record<string, unknown>
    },
    async close() {
      keeper.kill('SIGKILL')
      await waitForExit(keeper)
      for (const group of controlGroups)
        run('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
    },
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const waitForExit = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

const readAnswer = (output: string): Answer => {
  const { status, body } = JSON.parse(output) as { status: number; body: string }
  try {
    return { status, body: JSON.parse(body) }
  } catch {
    return { status, body }
  }
}
