// `npm run release`: builds the files of a release into release/. Plain JavaScript, because it also runs on an older
// Node, which it replaces as `npm start` does.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInChild } from '../bin/launcher/child.mjs'
import { explain } from '../bin/launcher/refusal.mjs'
import { prepare } from '../bin/launcher.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
try {
  const node = await prepare({ packages: 'full', web: true, site: true })
  // npm runs `prepack` before `npm pack`, which needs the builds only.
  if (!args.includes('--prepare')) {
    const { code } = await runInChild(node, [join(root, 'scripts', 'release', 'build.ts'), ...args], {
      cwd: root,
    })
    process.exitCode = code ?? 1
  }
} catch (error) {
  await explain(error)
}
