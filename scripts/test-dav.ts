import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { judgeOptions, startDavAccounts } from '../test/support/dav.ts'
import { startInstance } from '../test/support/instance.ts'

/* Runs the conformance suite CalDAVTester against an instance: `npm run test:dav -- [options of the suite]`. */

const JUDGE = fileURLToPath(new URL('../../shared/tools/caldavtester/judge.py', import.meta.url))

if (!existsSync(JUDGE)) process.stdout.write(`Skipped: ${JUDGE} does not exist.\n`)
else {
  const instance = await startInstance()
  const accounts = await startDavAccounts(instance, 4)
  const options = judgeOptions(instance, accounts)
  const judge = spawn('python3', [JUDGE, ...options, ...process.argv.slice(2)], { stdio: 'inherit' })
  judge.on('close', async (code) => {
    await instance.close()
    process.exit(code ?? 1)
  })
}
