// Prints the OpenAPI document of an empty instance.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../src/app.ts'
import { createContext } from '../src/commands/context.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'factotum-openapi-'))
try {
  const context = createContext({
    root: dirname(dirname(fileURLToPath(import.meta.url))),
    environment: { DATA_DIR: dataDir, LOG_LEVEL: 'silent', TZ_DEFAULT: 'UTC' },
    envFileNames: [],
    nodeVersion: process.versions.node,
    args: [],
    print: () => {},
    input: process.stdin,
    output: process.stderr,
    onStop: () => {},
    started: () => {},
    exit: (code) => process.exit(code),
  })
  const database = await context.openDatabase()
  const app = await buildApp(context.config, context.createDeps(database))
  process.stdout.write(JSON.stringify(await app.describe()))
  await app.close()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
