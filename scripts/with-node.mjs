// Installs Node.js and the development dependencies if they are missing, then runs a script: `with-node.mjs <script>`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInChild } from '../bin/launcher/child.mjs'
import { stopWithShell } from '../bin/launcher/parent.mjs'
import { prepare } from '../bin/launcher.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
stopWithShell()
try {
  const node = await prepare({ packages: 'full', web: false })
  const [script, ...args] = process.argv.slice(2)
  const { code } = await runInChild(node, [join(root, script), ...args], {
    cwd: root,
    env: process.env,
  })
  process.exitCode = code ?? 1
} catch (error) {
  process.stderr.write(`${error.isRefusal ? error.message : error.stack}\n`)
  process.exitCode = 1
}
