import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createDistribution, type Distribution, PLATFORMS } from './distribution.ts'
import { readReleaseDate, readReleaseNotes } from './notes.ts'
import { validateSbom } from './sbom.ts'
import { compress, type Entry, writeTar } from './tar.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** The time of all files in the release: the commit, or the date in the changelog without git. */
const readSeconds = (version: string): number => {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined) return Number(given)
  try {
    return Number(
      execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }),
    )
  } catch {
    return readReleaseDate(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  }
}

const below = (folder: string, entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }))

const findEntry = ({ entries }: Distribution, path: string): Buffer => {
  const entry = entries.find((each) => each.path === path)
  if (!entry) throw new Error(`${path} is not in the release.`)
  return entry.content
}

const { values } = parseArgs({
  options: {
    output: { type: 'string', default: join(root, 'release') },
    image: { type: 'string', multiple: true, default: ['amd64', 'arm64'] },
    'no-image': { type: 'boolean', default: false },
  },
})
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const seconds = readSeconds(version)
const cache = join(root, 'node_modules', '.cache', 'factotum-release')
const notes = readReleaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)

say('Collecting files, licences and the software bill of materials…')
const distribution = createDistribution({ root, platforms: PLATFORMS, cache, seconds })
const sbom = findEntry(distribution, 'sbom.cdx.json')
await validateSbom(sbom.toString())

const files = new Map<string, Buffer>()
const name = `factotum-${version}`
say('Writing the tarball and the npm package…')
files.set(`${name}.tar.gz`, compress(writeTar(below(name, distribution.entries), seconds)))
files.set(`${name}-npm.tgz`, compress(writeTar(below('package', distribution.entries), seconds)))
files.set(`${name}.cdx.json`, sbom)
files.set(`${name}-licences.txt`, findEntry(distribution, 'THIRD-PARTY-LICENCES.txt'))
files.set(`${name}-notes.md`, Buffer.from(notes))

const sums = [...files]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([file, content]) => `${createHash('sha256').update(content).digest('hex')}  ${file}\n`)
files.set('SHA256SUMS', Buffer.from(sums.join('')))
rmSync(values.output, { recursive: true, force: true })
mkdirSync(values.output, { recursive: true })
for (const [file, content] of files) {
  writeFileSync(join(values.output, file), content)
  say(`${(content.length / 1e6).toFixed(1).padStart(7)} MB  ${join(values.output, file)}`)
}
