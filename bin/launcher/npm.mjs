import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { interruption } from './refusal.mjs'

const fetchedNpm = (root) => join(root, '.node', 'node_modules', 'npm', 'bin', 'npm-cli.js')

/**
 * Returns the npm command. A downloaded Node has its own npm, and they belong together. The npm of an old
 * Node skips platform packages that require a newer one, and Debian's npm runs only on Debian's Node.
 */
export function npmCommand(root, node) {
  if (node && node !== process.execPath && existsSync(fetchedNpm(root))) return [node, fetchedNpm(root)]
  const { npm_execpath: caller, npm_node_execpath: callersNode } = process.env
  if (caller && basename(caller) === 'npm-cli.js' && existsSync(caller))
    return [callersNode ?? process.execPath, caller]
  const home = dirname(process.execPath)
  const neighbours = [join(home, 'node_modules'), join(home, '..', 'lib', 'node_modules')]
  const cli = neighbours.map((modules) => join(modules, 'npm', 'bin', 'npm-cli.js')).find(existsSync)
  return cli ? [process.execPath, cli] : ['npm']
}

/**
 * Runs npm quietly and returns `{ ok, output }`; the output is used if it fails. The lock must know the
 * process id of npm, because npm survives a killed launcher.
 */
export function runNpm({ npm: [command, ...prefix], args, cwd, node, hold }) {
  const child = spawn(command, [...prefix, ...args], {
    cwd,
    env: withoutDryRun(node ? withNodeFirst(node) : process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (child.pid) hold.add(child.pid)
  let output = ''
  const collect = (chunk) => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)

  let stoppedBy
  const stop = (signal) => {
    stoppedBy = signal
    child.kill('SIGTERM')
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  return new Promise((resolve, reject) => {
    child.on('error', (error) => resolve({ ok: false, output: `${error.message}\n` }))
    child.on('close', (code) => {
      for (const signal of signals) process.off(signal, stop)
      if (stoppedBy) reject(interruption(stoppedBy))
      else resolve({ ok: code === 0, output })
    })
  })
}

/** `npm pack --dry-run` passes its setting on. A nested npm would then install nothing, and succeed. */
function withoutDryRun(environment) {
  const entries = Object.entries(environment)
  return Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== 'npm_config_dry_run'))
}

/**
 * Scripts that npm runs find `node` through PATH. With another `NODE_ENV`, the console would contain the
 * development version of React.
 */
function withNodeFirst(node) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [dirname(node), process.env[name]].filter(Boolean).join(delimiter)
  return { ...process.env, NODE_ENV: 'production', [name]: path }
}
