import { spawn } from 'node:child_process'
import { constants, setPriority, tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { isSettingName } from '../config/setting-files.ts'
import type { RunCommand } from '../features/backups/feature.ts'

/** The program that runs, to start it again. */
export interface Program {
  /** The path of Node. */
  node: string
  /** The path of the entry file. */
  main: string
  environment: Readonly<Record<string, string | undefined>>
}

const HEAP_MB = 512
const MAX_OUTPUT_LENGTH = 64 * 1024

/** The settings that a child needs to open the same data. An empty setting counts as unset. */
const settingsOf = ({ dataDir, databaseUrl, blobs, secretKey, secretKeyPrevious, timezone }: Config) => ({
  DATA_DIR: resolve(dataDir),
  DATABASE_URL: databaseUrl ?? '',
  BLOBS_URL: blobs?.url ?? '',
  SECRET_KEY: secretKey ?? '',
  SECRET_KEY_PREVIOUS: secretKeyPrevious ?? '',
  TZ_DEFAULT: timezone ?? '',
  LOG_LEVEL: 'silent',
})

/** The environment without settings: each comes from the configuration of this process. */
const withoutSettings = (environment: Program['environment']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || isSettingName(name) ? [] : [[name, value]],
    ),
  )

const { PRIORITY_BELOW_NORMAL } = constants.priority

const trySetPriority = (pid: number, priority: number): void => {
  try {
    setPriority(pid, priority)
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

/**
 * Runs commands in a child process with limited memory, so that they never block requests. The channel closes
 * with this process, also after a kill, and the child then ends itself (main.ts).
 */
export const createCommandRunner =
  ({ node, main, environment }: Program, config: Config, priority = PRIORITY_BELOW_NORMAL): RunCommand =>
  (args, settings, signal) =>
    new Promise((resolveEnded, reject) => {
      const child = spawn(node, [`--max-old-space-size=${HEAP_MB}`, main, ...args], {
        // Without `.env`, whose settings would be added.
        cwd: tmpdir(),
        env: { ...withoutSettings(environment), ...settingsOf(config), ...settings },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        signal,
      })
      let stderr = ''
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr = (stderr + chunk.toString()).slice(-MAX_OUTPUT_LENGTH)
      })
      if (child.pid !== undefined) trySetPriority(child.pid, priority)
      child.once('error', reject)
      child.once('close', (code) => resolveEnded({ code, stderr }))
    })
