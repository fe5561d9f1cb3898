import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createDistribution, type Distribution, PLATFORMS } from './distribution.ts'
import { readImageConfig } from './dockerfile.ts'
import { createRootFileSystem, IMAGE_PLATFORMS, writeRootFileSystem } from './image.ts'
import { readReleaseDate, readReleaseNotes } from './notes.ts'
import { type Architecture, writeImage } from './oci.ts'
import { type Manifest, readJson } from './packages.ts'
import { createSbom, validateSbom } from './sbom.ts'
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
    /** The architectures of the images. */
    image: { type: 'string', multiple: true, default: ['amd64', 'arm64'] },
    /** Without images, which need apt. */
    'no-image': { type: 'boolean', default: false },
    /** Writes only the root file system of one image to this folder. The Dockerfile uses it. */
    'root-file-system': { type: 'string' },
  },
})
const manifest = readJson<Manifest>(join(root, 'package.json'))
const { version } = manifest
const seconds = readSeconds(version)
const cache = join(root, 'node_modules', '.cache', 'factotum-release')
mkdirSync(cache, { recursive: true })
const architectures = values.image.map((name): Architecture => {
  if (name !== 'amd64' && name !== 'arm64') throw new Error(`There is no image for "${name}".`)
  return name
})

const createImageFiles = (architecture: Architecture) => {
  say(`Collecting the files of the image for ${architecture}…`)
  const platforms = [IMAGE_PLATFORMS[architecture]]
  const distribution = createDistribution({ root, platforms, cache, seconds })
  return { distribution, files: createRootFileSystem(distribution, { architecture, cache }) }
}

const buildImage = async (architecture: Architecture): Promise<[string, Buffer][]> => {
  const { distribution, files } = createImageFiles(architecture)
  const archive = writeImage({
    architecture,
    config: {
      ...readImageConfig(readFileSync(join(root, 'Dockerfile'), 'utf8')),
      Labels: {
        'org.opencontainers.image.title': 'Factotum',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': String(manifest.license),
      },
    },
    layers: files.layers,
    name: `localhost/factotum:${version}`,
    seconds,
  })
  const sbom = createSbom({ manifest, packages: distribution.packages, others: files.components, seconds })
  await validateSbom(JSON.stringify(sbom))
  const name = `factotum-${version}-image-${architecture}`
  return [
    [`${name}.oci.tar`, archive],
    [`${name}.cdx.json`, Buffer.from(`${JSON.stringify(sbom, null, 2)}\n`)],
  ]
}

const buildRelease = async (): Promise<Map<string, Buffer>> => {
  const notes = readReleaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  say('Collecting files, licences and the software bill of materials…')
  const distribution = createDistribution({ root, platforms: PLATFORMS, cache, seconds })
  const sbom = findEntry(distribution, 'sbom.cdx.json')
  await validateSbom(sbom.toString())
  say('Writing the tarball and the npm package…')
  const name = `factotum-${version}`
  const files = new Map([
    [`${name}.tar.gz`, compress(writeTar(below(name, distribution.entries), seconds))],
    [`${name}-npm.tgz`, compress(writeTar(below('package', distribution.entries), seconds))],
    [`${name}.cdx.json`, sbom],
    [`${name}-licences.txt`, findEntry(distribution, 'THIRD-PARTY-LICENCES.txt')],
    [`${name}-notes.md`, Buffer.from(notes)],
  ])
  for (const architecture of values['no-image'] ? [] : architectures)
    for (const [file, content] of await buildImage(architecture)) files.set(file, content)
  return files
}

const writeRelease = (files: ReadonlyMap<string, Buffer>, folder: string): void => {
  const sums = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, content]) => `${createHash('sha256').update(content).digest('hex')}  ${file}\n`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of [...files, ['SHA256SUMS', Buffer.from(sums.join(''))] as const]) {
    writeFileSync(join(folder, file), content)
    say(`${(content.length / 1e6).toFixed(1).padStart(7)} MB  ${join(folder, file)}`)
  }
}

const rootFolder = values['root-file-system']
if (rootFolder === undefined) writeRelease(await buildRelease(), values.output)
else
  for (const architecture of architectures.slice(0, 1))
    writeRootFileSystem(createImageFiles(architecture).files, { folder: rootFolder, seconds })
